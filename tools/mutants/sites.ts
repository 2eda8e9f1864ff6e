import { parseSync } from "rolldown/utils";
import type { Kind, Mutation } from "./mutation.ts";

/** Every mutation that a source offers. Texts for people (with a space in them), types and imports are left as they are. */
export function findMutations(path: string, text: string): Mutation[] {
  const { program, errors } = parseSync(path, text, { sourceType: "module" });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message ?? "does not parse"}`);
  const found: Mutation[] = [];

  function add(kind: Kind, { start, end }: Span, after: string): void {
    const line = text.slice(0, start).split("\n").length;
    found.push({ path, line, kind, start, end, before: text.slice(start, end), after });
  }

  function visit(node: Node, parent: Node | undefined, key: string): void {
    if (isLeftAlone(node, parent, key)) return;
    const source = (part: Span): string => text.slice(part.start, part.end);
    const { test, left, right, argument, operator, value } = node;
    if (isNode(test) && CONDITIONAL.has(node.type)) add("negate", test, `!(${source(test)})`);
    if (node.type === "BinaryExpression" && isNode(left) && isNode(right) && typeof operator === "string") {
      const at = operatorSpan(text, operator, left, right);
      const bound = BOUNDS.get(operator);
      const opposite = OPPOSITES.get(operator);
      if (bound !== undefined) add("bound", at, bound);
      // A whole test is negated as one already.
      if (opposite !== undefined && key !== "test") add("negate", at, opposite);
    }
    if (node.type === "AwaitExpression" && isNode(argument)) add("await", node, source(argument));
    if (isDeletable(node)) add("delete", node, "{}");
    const swapped = node.type === "Literal" ? swapConstant(value) : undefined;
    if (swapped !== undefined) add("constant", node, swapped);

    for (const [name, part] of Object.entries(node))
      for (const child of Array.isArray(part) ? part : [part]) if (isNode(child)) visit(child, node, name);
  }

  if (isNode(program)) visit(program, undefined, "");
  return found;
}

interface Span {
  start: number;
  end: number;
}

interface Node extends Span {
  type: string;
  [name: string]: unknown;
}

const CONDITIONAL = new Set(["IfStatement", "ConditionalExpression", "WhileStatement", "DoWhileStatement", "ForStatement"]);
const BOUNDS = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
]);
const OPPOSITES = new Map([
  ["===", "!=="],
  ["!==", "==="],
]);
const IMPORTING = new Set(["ImportDeclaration", "ExportAllDeclaration", "ImportExpression"]);
/** Types that stand around an expression; all others are gone when the program runs. */
const EXPRESSION_TYPES = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

function isLeftAlone(node: Node, parent: Node | undefined, key: string): boolean {
  if (node.type.startsWith("TS") && !EXPRESSION_TYPES.has(node.type)) return true;
  if (IMPORTING.has(node.type) || (parent?.type === "ExportNamedDeclaration" && key === "source")) return true;
  return node.type === "Literal" && key === "key" && parent?.["computed"] !== true;
}

function isDeletable(node: Node): boolean {
  if (node.type === "IfStatement") return node["alternate"] === null;
  if (node.type === "ExpressionStatement") return typeof node["directive"] !== "string";
  return (
    node.type === "ThrowStatement" || node.type === "ContinueStatement" || (node.type === "ReturnStatement" && node["argument"] === null)
  );
}

function swapConstant(value: unknown): string | undefined {
  if (typeof value === "boolean") return String(!value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value === 1 ? 0 : value + 1);
  if (typeof value === "string" && !/\s/.test(value)) return JSON.stringify(value === "" ? "x" : `${value}x`);
  return undefined;
}

/** Where the operator stands between its operands, which may be in parentheses. */
function operatorSpan(text: string, operator: string, left: Span, right: Span): Span {
  const start = left.end + text.slice(left.end, right.start).indexOf(operator);
  return { start, end: start + operator.length };
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
