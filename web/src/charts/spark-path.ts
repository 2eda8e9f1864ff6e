/** The path of a sparkline: a line for each unbroken run of values. A value alone between gaps is a dot: a line without length. */
export function sparkPath(
  values: readonly (number | null)[],
  { max, width, height }: { max: number; width: number; height: number },
): string {
  const inset = LINE_WIDTH / 2;
  const stepX = values.length > 1 ? (width - LINE_WIDTH) / (values.length - 1) : 0;
  const scaleY = max > 0 ? (height - LINE_WIDTH) / max : 0;
  let path = "";
  let isOpen = false;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isOpen = false;
      continue;
    }
    const x = (inset + index * stepX).toFixed(1);
    const y = (height - inset - Math.min(Math.max(value, 0), max) * scaleY).toFixed(1);
    path += isOpen ? `L${x} ${y}` : `M${x} ${y}h0`;
    isOpen = true;
  }
  return path;
}

export const LINE_WIDTH = 1.5;
