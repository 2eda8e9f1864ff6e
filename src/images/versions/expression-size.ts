/** What of an expression is read as one: an escape with its braces, a class, the start of a group, a repetition, or a character. */
const TOKEN =
  /\\Q(?<quoted>[^]*?)(?:\\E|$)|(?<escape>\\(?:[pPx]\{[^}]*\}?|[pP][^]|[^]))|(?<class>\[\^?\]?(?:\\[^]|\[:\^?\w*:\]|[^\]\\])*\]?)|(?<open>\((?:\?(?:P?<\w*>|[imsU-]*:?))?)|(?<close>\))|\{(?<least>\d+)(?<range>,(?<most>\d*))?\}|(?<sign>[*+?|])|(?<character>[^])/gu;

/** A Unicode class has hundreds of ranges, which cost time when they are read. */
const CLASS_SIZE = 4;

interface Group {
  size: number;
  /** Of what a repetition repeats. */
  last: number;
}

/**
 * At most so many instructions, about, are in the program that RE2 makes of an expression: repetitions multiply what they repeat. Takes time
 * linear in the expression, and never throws; for what is no expression it answers some number.
 */
export function expressionSize(expression: string): number {
  const outer: Group[] = [];
  let group: Group = { size: 2, last: 0 };
  const add = (size: number): void => {
    group.last = size;
    group.size += size;
  };
  for (const { groups: token = {} } of expression.matchAll(TOKEN)) {
    if (token["open"] !== undefined) {
      outer.push(group);
      group = { size: 2, last: 0 };
    } else if (token["close"] !== undefined) {
      const { size } = group;
      group = outer.pop() ?? { size: 2, last: 0 };
      add(size);
    } else if (token["least"] !== undefined) {
      const times = Math.max(Number(token["least"]) + (token["range"] === "," ? 1 : 0), Number(token["most"] ?? 0), 1);
      const { last } = group;
      group.size -= last;
      add((last + 1) * times);
    } else if (token["quoted"] !== undefined) {
      group.size += token["quoted"].length;
      group.last = 1;
    } else if (token["sign"] !== undefined) {
      group.size += 1;
      group.last += 1;
    } else add(token["class"] === undefined && token["escape"] === undefined ? 1 : CLASS_SIZE);
  }
  return outer.reduce((size, each) => size + each.size, group.size);
}
