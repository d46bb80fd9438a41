// A place on the page for the transport of a group, where it shall not stand below the leading grid.

export function fillSlot(grid) {
  const { slot } = grid.group;
  if (!slot || !grid.transport) return;
  slot.dataset.theme = grid.theme;
  slot.replaceChildren(...grid.parts.controls);
  grid.transport.drawStrip();
}
