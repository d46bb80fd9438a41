// The colours of the picture of every way: as in base.css, but written into the picture so that it can be saved. The lines
// have the colours of Compare's lanes, that of ties last.

export const LOOKS = {
  light: {
    paper: "#ffffff",
    ink: "#14161c",
    soft: "#5b6172",
    strand: "#dde2ee",
    rim: "#c6cddf",
    lens: "#f1f3fa",
    tie: "#b54708",
    fork: "#fbd3a4",
    lines: ["#3b5bdb", "#6a9b69", "#0d2769", "#b57596", "#511522", "#556655", "#665577", "#b54708"],
  },
  dark: {
    paper: "#191c24",
    ink: "#f5f6fb",
    soft: "#a5acbf",
    strand: "#323848",
    rim: "#48506a",
    lens: "#222734",
    tie: "#ffb566",
    fork: "#7d5220",
    lines: ["#8da2ff", "#77f8e1", "#956899", "#ff1166", "#228866", "#aa99aa", "#5b6c00", "#ffb566"],
  },
};
