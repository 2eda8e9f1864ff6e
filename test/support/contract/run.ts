import { crc32 } from "node:zlib";
import { createChance } from "../chance.ts";
import { type Caller, createCaller, type Reply } from "./caller.ts";
import { coverageCalls, methodCalls } from "./coverage.ts";
import { type Document, type Operation, readOperations } from "./document.ts";
import { exampleCalls } from "./examples.ts";
import { fuzzCalls } from "./fuzzing.ts";
import { goodInputs } from "./inputs.ts";
import { createKnown, type Known } from "./known.ts";
import { type Call, callOf } from "./requests.ts";
import { followLinks, pathFrom } from "./stateful.ts";
import { type Finding, findingsOf } from "./verdict.ts";

export interface Amounts {
  /** Of the borders of an operation, drawn by chance. */
  bordersOfOperation: number;
  /** Random calls of an operation, valid ones and as many invalid ones. */
  randomOfOperation: number;
  /** How often all that can be created is. */
  rounds: number;
}

export interface ContractRun {
  /** All of the document. */
  operations: number;
  /** Ids of those that answered at least once as their own. */
  visited: ReadonlySet<string>;
  /** Ids of those that did what they are for at least once. */
  succeeded: ReadonlySet<string>;
  requests: number;
  /** How often each status came. */
  statuses: Readonly<Record<string, number>>;
  findings: readonly Finding[];
}

const AT_ONCE = 8;
/** Records of a kind that stay when they were created. */
const KEPT_OF_CREATOR = 2;

/** Calls every operation of an OpenAPI document and collects what breaks the contract. The same seed draws the same inputs but for ids, which answers give. */
export async function runContract({
  url,
  document,
  headersFor = () => ({}),
  seed,
  amounts,
}: {
  url: string;
  document: Document;
  /** What every request to a path carries. */
  headersFor?: (path: string) => Record<string, string>;
  seed: number;
  amounts: Amounts;
}): Promise<ContractRun> {
  const operations = readOperations(document);
  const methodsOf = Object.groupBy(operations, ({ path }) => path);
  const caller = createCaller(url, headersFor);
  const known = createKnown();
  const visited = new Set<string>();
  const succeeded = new Set<string>();
  const statuses: Record<string, number> = {};
  const findings: Finding[] = [];
  const created = new Map<string, number>();
  const seedOf = ({ id }: Operation): number => (seed ^ crc32(id)) | 0;

  async function send(call: Call): Promise<Reply> {
    const methods = (methodsOf[call.operation.path] ?? []).map(({ method }) => method);
    let reply: Reply;
    try {
      reply = await caller.send(call);
    } catch (error) {
      findings.push({
        rule: "unanswered",
        operation: call.operation.id,
        text: `${call.method} ${call.target} (${call.what}): ${String(error)}`,
      });
      return { status: 0, headers: {}, text: "", isStream: false };
    }
    if (call.method === call.operation.method) {
      visited.add(call.operation.id);
      if (reply.status < 400) succeeded.add(call.operation.id);
    }
    statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
    findings.push(...findingsOf(call, reply, methods));
    if (reply.status < 300) learn(known, call, reply);
    return reply;
  }

  async function sendAndTidy(call: Call): Promise<void> {
    const reply = await send(call);
    if (reply.status !== 201) return;
    const count = (created.get(call.operation.id) ?? 0) + 1;
    created.set(call.operation.id, count);
    if (count > KEPT_OF_CREATOR) await remove(call, reply, { operations, caller, known });
  }

  const inOrder = operations.toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));
  try {
    for (const operation of inOrder) await inParallel(exampleCalls(operation, known, seedOf(operation)), sendAndTidy);
    for (let round = 0; round < amounts.rounds; round += 1)
      for (const operation of inOrder.filter(isLinked))
        await followLinks(operation, { operations, known, seed: seedOf(operation) + round * 101, send });
    for (const operation of inOrder) {
      const calls = [...coverageCalls(operation, known, seedOf(operation))];
      await inParallel(drawn(calls, amounts.bordersOfOperation, seedOf(operation)), sendAndTidy);
      await inParallel(fuzzCalls(operation, known, { count: amounts.randomOfOperation, seed: seedOf(operation) }), sendAndTidy);
    }
    for (const [first, ...others] of Object.values(methodsOf).filter((each) => each !== undefined)) {
      if (first === undefined) continue;
      const methods = [first, ...others].map(({ method }) => method);
      await inParallel(methodCalls(first, methods, known, seedOf(first)), send);
    }
  } finally {
    caller.close();
  }
  return { operations: operations.length, visited, succeeded, requests: caller.count(), statuses, findings };
}

const ORDER = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function isLinked({ answers }: Operation): boolean {
  return [...answers.values()].some(({ links }) => links.length > 0);
}

function learn(known: Known, call: Call, reply: Reply): void {
  if (reply.headers["content-type"]?.startsWith("application/json") !== true) return;
  try {
    known.learn(JSON.parse(reply.text), call.operation.path.split("/").at(-1));
  } catch {
    // What is no JSON has been found already.
  }
}

/** Deletes what a call created, so that a run does not fill the server. */
async function remove(
  { operation, target }: Call,
  reply: Reply,
  { operations, caller, known }: { operations: readonly Operation[]; caller: Caller; known: Known },
): Promise<void> {
  for (const link of operation.answers.get(201)?.links ?? []) {
    const deletion = operations.find(({ id, method }) => id === link.operationId && method === "DELETE");
    if (deletion === undefined) continue;
    const path = pathFrom(link, { path: parametersOf(operation, target), query: {} }, reply);
    const inputs = goodInputs(deletion, known, { seed: 0 });
    if (path === undefined || inputs === undefined) continue;
    await caller.send(callOf(deletion, { ...inputs, path }, { phase: "stateful", what: "tidies", expected: "any" }));
    return;
  }
}

function parametersOf({ path }: Operation, target: string): Record<string, string> {
  const pattern = new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/?]+)")}(?:\\?|$)`);
  return { ...pattern.exec(target)?.groups };
}

/** So many of the items, by chance; all where there are not more. */
function drawn<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  if (items.length <= count) return [...items];
  const chance = createChance(seed);
  const rest = [...items];
  return Array.from({ length: count }, () => rest.splice(chance.below(rest.length), 1)).flat();
}

async function inParallel<Item>(items: Iterable<Item>, work: (item: Item) => Promise<unknown>): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
