import { parseAst } from "rolldown/parseAst";

/** A source file with a counter in each of its branches. */
export interface Instrumented {
  source: string;
  /** How many counters were added. */
  counters: number;
  /** Texts that stand in the source: what a parser compares its input with. */
  words: string[];
}

interface Node {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

interface Insertion {
  at: number;
  text: string;
  closes: boolean;
}

/**
 * Adds a counter to each block, branch, case and expression that may be skipped, so that a run shows which of them it reached. Counters are
 * elements of the global array `__hits`, from `first` on. The source stays TypeScript.
 */
export function instrument(source: string, { first, language }: { first: number; language: "ts" | "js" }): Instrumented {
  const insertions: Insertion[] = [];
  const words = new Set<string>();
  let next = first;

  const hit = (): string => `__hits[${next++}]++`;
  const statement = (at: number): void => void insertions.push({ at, text: `${hit()};`, closes: false });
  function around({ start, end }: Node, [open, close]: readonly [string, string]): void {
    insertions.push({ at: start, text: open, closes: false }, { at: end, text: close, closes: true });
  }
  const expression = (node: Node): void => around(node, [`(${hit()},`, ")"]);
  function body(node: unknown): void {
    if (isNode(node) && node.type !== "BlockStatement") around(node, [`{${hit()};`, "}"]);
  }

  function add(node: Node): void {
    switch (node.type) {
      case "BlockStatement":
        return statement(node.start + 1);
      case "ArrowFunctionExpression":
        if (isNode(node["body"]) && node["body"].type !== "BlockStatement") expression(node["body"]);
        return;
      case "ConditionalExpression":
        for (const branch of [node["consequent"], node["alternate"]]) if (isNode(branch)) expression(branch);
        return;
      case "LogicalExpression":
        if (isNode(node["right"])) expression(node["right"]);
        return;
      case "IfStatement":
        body(node["consequent"]);
        return body(node["alternate"]);
      case "ForStatement":
      case "ForOfStatement":
      case "ForInStatement":
      case "WhileStatement":
        return body(node["body"]);
      case "SwitchCase": {
        const [begin] = node["consequent"] as Node[];
        if (begin !== undefined) statement(begin.start);
        return;
      }
      case "Literal":
        if (typeof node["value"] === "string" && node["value"].length > 1 && node["value"].length <= 32) words.add(node["value"]);
    }
  }

  function visit(value: unknown): void {
    if (Array.isArray(value)) for (const each of value) visit(each);
    else if (isNode(value)) {
      if (value.type === "ImportDeclaration" || value.type.startsWith("TSType")) return;
      add(value);
      for (const member of Object.values(value)) if (typeof member === "object") visit(member);
    }
  }

  visit(parseAst(source, { lang: language }));
  return { source: inserted(source, insertions), counters: next - first, words: [...words] };
}

/** At one place, what ends there comes before what begins, and the inner ends before the outer. */
function inserted(source: string, insertions: readonly Insertion[]): string {
  const openings = insertions.filter(({ closes }) => !closes);
  const closings = insertions.filter(({ closes }) => closes).reverse();
  const ordered = [...closings, ...openings].sort((a, b) => a.at - b.at || Number(b.closes) - Number(a.closes));
  let result = "";
  let from = 0;
  for (const { at, text } of ordered) {
    result += source.slice(from, at) + text;
    from = at;
  }
  return result + source.slice(from);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string" && "start" in value;
}
