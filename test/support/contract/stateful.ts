import type { Reply } from "./caller.ts";
import type { Link, Operation } from "./document.ts";
import { goodInputs } from "./inputs.ts";
import type { Known } from "./known.ts";
import { type Call, callOf, type Expected, type Inputs } from "./requests.ts";

export interface Chain {
  operations: readonly Operation[];
  known: Known;
  seed: number;
  send(call: Call): Promise<Reply>;
}

/** How often something is created until the server takes it: chance may name records that are not there. */
const ATTEMPTS = 12;

/** Creates what an operation creates, and follows its links: reads, changes, reads again, deletes, and finds it gone. */
export async function followLinks(creator: Operation, { operations, known, seed, send }: Chain): Promise<boolean> {
  const made = await create(creator, { operations, known, seed, send });
  if (made === undefined) return false;
  const targets = made.links.flatMap((link) => {
    const operation = operations.find(({ id }) => id === link.operationId);
    const path = operation === undefined ? undefined : pathFrom(link, made.inputs, made.reply);
    return operation === undefined || path === undefined ? [] : [{ operation, path }];
  });
  // What is only listed belongs to others; it is read.
  const mine = creator.method === "GET" ? targets.filter(({ operation }) => operation.method === "GET") : targets;
  const ordered = mine.toSorted((a, b) => ORDER.indexOf(a.operation.method) - ORDER.indexOf(b.operation.method));
  const visit = async ({ operation, path }: (typeof targets)[number], expected: Expected, what: string): Promise<void> => {
    const inputs = goodInputs(operation, known, { seed });
    if (inputs !== undefined)
      await send(callOf(operation, { ...inputs, path: { ...inputs.path, ...path } }, { phase: "stateful", what, expected }));
  };

  for (const target of ordered) await visit(target, target.operation.method === "GET" ? "found" : "accepted", `after ${creator.id}`);
  for (const target of ordered.filter(({ operation }) => operation.method === "GET" || operation.method === "DELETE"))
    // Of some records, that they were ended is kept.
    if (isOwnRecord(target.operation, ordered))
      await visit(target, target.operation.method === "GET" ? 404 : "refused", `after ${creator.id}, once it is deleted`);
  return true;
}

const ORDER = ["GET", "PUT", "PATCH", "POST", "DELETE"];

/** It is about the record itself, which the deletion takes away. */
function isOwnRecord(operation: Operation, targets: readonly { operation: Operation }[]): boolean {
  return targets.some((each) => each.operation.method === "DELETE" && each.operation.path === operation.path);
}

async function create(
  creator: Operation,
  { known, seed, send }: Chain,
): Promise<{ inputs: Inputs; reply: Reply; links: readonly Link[] } | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const inputs = goodInputs(creator, known, { seed: seed + attempt });
    if (inputs === undefined) return undefined;
    const reply = await send(callOf(creator, inputs, { phase: "stateful", what: "creates", expected: "accepted" }));
    const links = creator.answers.get(reply.status)?.links ?? [];
    if (reply.status < 300 && links.length > 0) return { inputs, reply, links };
  }
  return undefined;
}

/** The path parameters that a link gives; undefined when the answer does not have them. Source: OpenAPI 3.1, runtime expressions. */
export function pathFrom(link: Link, inputs: Inputs, reply: Pick<Reply, "text">): Record<string, unknown> | undefined {
  const path: Record<string, unknown> = {};
  for (const [name, expression] of Object.entries(link.parameters)) {
    const value = expression.startsWith("$request.path.")
      ? inputs.path[expression.slice("$request.path.".length)]
      : pointed(JSON.parse(reply.text), expression.slice("$response.body#".length));
    if (value === undefined || value === null) return undefined;
    path[name] = value;
  }
  return path;
}

function pointed(value: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((at, key) => (typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : undefined), value);
}
