import { parseSync, Visitor, type ESTree } from "rolldown/utils";

export interface FunctionLength {
  name: string;
  line: number;
  /** From its first line to its last. */
  lines: number;
  /** Without the functions written in it, which count for themselves, and without the literals of its answer, which are data. */
  ownLines: number;
  /** Variables of its body that change: what the functions written in it share. */
  mutableLocals: number;
}

type Ranged = Pick<ESTree.Node, "start" | "end">;

interface Open {
  name: string;
  node: Ranged;
  mutableLocals: number;
  /** What does not count, the outermost ranges of it. */
  apart: Ranged[];
}

/** The functions of a file, in the order in which they end. Throws when it does not parse. */
export function functionLengths(path: string, text: string): FunctionLength[] {
  const { program, errors } = parseSync(path, text, { sourceType: "module" });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message ?? "does not parse"}`);
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const lineOf = (position: number): number => lineStarts.findLastIndex((start) => start <= position) + 1;
  const linesOf = ({ start, end }: Ranged): number => lineOf(end - 1) - lineOf(start) + 1;

  const open: Open[] = [];
  const found: FunctionLength[] = [];
  /** Functions whose answer is being read: the literals in it are data. */
  const answering: (Open | undefined)[] = [];

  function leaveOut(node: Ranged): void {
    const apart = open.at(-1)?.apart;
    if (apart !== undefined && (apart.at(-1)?.end ?? -1) < node.end) apart.push(node);
  }

  function enter(node: Ranged & { id?: { name: string } | null; body?: ESTree.Node | null }): void {
    leaveOut(node);
    open.push({ name: node.id?.name ?? "a function", node, mutableLocals: countMutable(node.body), apart: [] });
  }

  function exit(): void {
    const { name, node, mutableLocals, apart } = open.pop() as Open;
    const lines = linesOf(node);
    // The first and the last line of what is left out are shared with what is around it.
    const left = apart.reduce((sum, each) => sum + Math.max(0, linesOf(each) - 1), 0);
    found.push({ name, line: lineOf(node.start), lines, ownLines: lines - left, mutableLocals });
  }

  function literal(node: Ranged): void {
    const innermost = open.at(-1);
    if (innermost !== undefined && answering.at(-1) === innermost) leaveOut(node);
  }

  new Visitor({
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": exit,
    FunctionExpression: enter,
    "FunctionExpression:exit": exit,
    ArrowFunctionExpression(node) {
      enter(node);
      answering.push(node.body.type === "BlockStatement" ? undefined : open.at(-1));
    },
    "ArrowFunctionExpression:exit"() {
      answering.pop();
      exit();
    },
    ReturnStatement: () => void answering.push(open.at(-1)),
    "ReturnStatement:exit": () => void answering.pop(),
    ArrayExpression: literal,
    ObjectExpression: literal,
    TemplateLiteral: literal,
  }).visit(program);
  return found;
}

function countMutable(body: ESTree.Node | null | undefined): number {
  if (body?.type !== "BlockStatement") return 0;
  const mutable = body.body.filter((each) => each.type === "VariableDeclaration" && each.kind === "let");
  return mutable.flatMap((each) => (each.type === "VariableDeclaration" ? each.declarations : [])).length;
}
