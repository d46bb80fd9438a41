// The limits of a training in the page. That of its text is in the page's data: as many characters as a film shows.

export const MOST_MERGES = 5_000;
export const MOST_LANES = 2; // of a film that has one
