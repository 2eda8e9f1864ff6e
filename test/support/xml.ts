/** An element of a parsed document. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

/** Reads XML without namespaces, doctypes and CDATA; throws at whatever is not well-formed. Source: XML 1.0. */
export function parseXml(text: string): Element {
  const illegal = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(text);
  if (illegal !== null) throw new SyntaxError(`a character that XML cannot hold at ${illegal.index}`);
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  let at = /^(<\?xml [^?]*\?>)?\s*/.exec(text)?.[0].length ?? 0;
  const token = /<\/([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
  while (at < text.length) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) throw new SyntaxError(`no XML at ${at}: ${text.slice(at, at + 40)}`);
    at = token.lastIndex;
    const [, closed, opened, attributes = "", empty, characters] = match;
    const inner = open.at(-1) ?? root;
    if (characters !== undefined) inner.text += resolved(characters);
    else if (closed !== undefined) {
      if (inner.name !== closed || open.length === 1) throw new SyntaxError(`</${closed}> closes <${inner.name}>`);
      open.pop();
    } else if (opened !== undefined) {
      const element: Element = { name: opened, attributes: {}, children: [], text: "" };
      for (const [, name = "", value = ""] of attributes.matchAll(/([\w:.-]+)="([^"]*)"/g)) {
        if (name in element.attributes) throw new SyntaxError(`${name} twice`);
        element.attributes[name] = resolved(value);
      }
      inner.children.push(element);
      if (empty === "") open.push(element);
    }
  }
  const [only] = root.children;
  if (open.length !== 1 || only === undefined || root.children.length !== 1 || root.text.trim() !== "") {
    throw new SyntaxError("not one element, closed");
  }
  return only;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function resolved(text: string): string {
  return text.replace(/&(#?\w+;)?/g, (_whole, reference: string | undefined) => {
    const name = reference?.slice(0, -1);
    if (name === undefined) throw new SyntaxError("a bare &");
    const character = name.startsWith("#") ? String.fromCodePoint(Number(name.slice(1))) : ENTITIES[name];
    if (character === undefined) throw new SyntaxError(`&${name}; is not known`);
    return character;
  });
}
