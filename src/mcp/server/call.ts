import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError, isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { FOREIGN_NOTICE, quotedText, withoutFences } from "../foreign-text.ts";
import type { Scope, Tool, ToolCall } from "../tool.ts";
import type { ReadyTool } from "./catalogue.ts";
import { failureSentence } from "./messages.ts";

/** The answer to a call, as the protocol has it. */
export interface CallResult {
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  [member: string]: unknown;
}

/** A call of a tool that changes something. */
export interface ToolWrite {
  tool: string;
  /** What its client calls itself, where that is known. */
  clientName: string | null;
  /** As they were checked; null where they are not what the tool takes. */
  args: Readonly<Record<string, unknown>> | null;
  isRefused: boolean;
}

export interface CallDependencies {
  gate: (capability: string) => void;
  /** Such a call was answered: resolves once that was kept. */
  onWrite: (write: ToolWrite) => Promise<void>;
  clock: Clock;
  log: Log;
}

/** How long a call may take. */
export const CALL_MS = 30_000;
/** What an assistant can take in at once, and more. */
export const MOST_RESULT_BYTES = 262_144;

/** What a caller must have been allowed for this tool. */
export function scopeOf(tool: Tool): Scope {
  return tool.writes === true ? "alerts:write" : "monitor:read";
}

/** What is called by whom. */
export interface Call {
  args: unknown;
  caller: { scopes: readonly Scope[]; name: string | null };
  signal: AbortSignal;
}

/** Calls a tool. Whatever goes wrong is an answer that says what to do next. */
export async function callTool(ready: ReadyTool, call: Call, dependencies: CallDependencies): Promise<CallResult> {
  const { tool } = ready;
  let unfinished: Promise<unknown> | undefined;
  const result = await answerCall(ready, call, dependencies, (work) => {
    unfinished = work;
  });
  if (tool.writes !== true) return result;
  const keep = (isRefused: boolean): Promise<void> => dependencies.onWrite(writeOf(tool, { ...call, isRefused }));
  if (unfinished === undefined) await keep(result.isError === true);
  else
    unfinished
      .then(
        () => keep(false),
        () => keep(true),
      )
      .catch((error: unknown) =>
        dependencies.log.error({ err: error, tool: tool.name }, "a call that was answered late could not be kept"),
      );
  return result;
}

/** A call of a tool that changes something, as it is kept. */
export function writeOf(tool: Tool, { args, caller, isRefused }: Omit<Call, "signal"> & { isRefused: boolean }): ToolWrite {
  const checked = tool.input.safeParse(unfenced(args ?? {}, DEEPEST_ARGUMENT)).data ?? null;
  return { tool: tool.name, clientName: caller.name, args: checked, isRefused };
}

async function answerCall(
  { tool, fence }: ReadyTool,
  { args, caller: { scopes }, signal }: Call,
  { gate, clock, log }: CallDependencies,
  onUnfinished: (work: Promise<unknown>) => void,
): Promise<CallResult> {
  try {
    // Its client may have gone while it waited for its turn.
    if (signal.aborted) return failed("The call was cancelled.");
    const scope = scopeOf(tool);
    if (!scopes.includes(scope)) return failed(MISSING_SCOPE[scope]);
    if (tool.capability !== undefined) gate(tool.capability);
    const input = tool.input.safeParse(unfenced(args ?? {}, DEEPEST_ARGUMENT));
    if (input.error !== undefined) return failed(faultsOf(tool, input.error));
    const { value, isForeign } = fence(
      await inTime((call) => tool.handle(input.data, call), { signal, clock, isWrite: tool.writes === true, onUnfinished }),
    );
    return answer(value as Record<string, unknown>, isForeign);
  } catch (error) {
    return failed(sentenceOf(tool, error, log));
  }
}

const TOO_LONG = "This took longer than 30 seconds and was given up. Ask for less, or try again.";
/** A change that has begun cannot be taken back. */
const NOT_ENDED = "This took longer than 30 seconds. The change may still be made: look whether it was before you try again.";

interface Limits {
  signal: AbortSignal;
  clock: Clock;
  /** Whether the work changes something. */
  isWrite?: boolean;
  /** Takes work that was answered before it ended. */
  onUnfinished?: (work: Promise<unknown>) => void;
}

/** Runs work that may take {@link CALL_MS}, and no longer than the caller waits. */
export async function inTime<Result>(
  work: (call: ToolCall) => Promise<Result> | Result,
  { signal, clock, isWrite = false, onUnfinished = () => undefined }: Limits,
): Promise<Result> {
  const controller = new AbortController();
  const result = work({ signal: controller.signal });
  if (!(result instanceof Promise)) return result;
  const given = Promise.withResolvers<never>();
  const giveUp = (error: ServiceError): void => {
    onUnfinished(result);
    controller.abort(error);
    given.reject(error);
  };
  const cancel = (): void => giveUp(new ServiceError("request_timeout", "The call was cancelled."));
  const timer = clock.after(CALL_MS, () => giveUp(new ServiceError("request_timeout", isWrite ? NOT_ENDED : TOO_LONG)));
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  try {
    return await Promise.race([result, given.promise]);
  } finally {
    timer.cancel();
    signal.removeEventListener("abort", cancel);
  }
}

function answer(value: Record<string, unknown>, isForeign: boolean): CallResult {
  const structuredContent = isForeign ? { notice: FOREIGN_NOTICE, ...value } : value;
  const text = JSON.stringify(structuredContent);
  if (Buffer.byteLength(text) > MOST_RESULT_BYTES) {
    return failed(
      "The answer would be larger than 256 KB. Ask for less: a smaller limit or fewer lines, a shorter range, or one host by agent_id.",
    );
  }
  return { content: [{ type: "text", text }], structuredContent };
}

/** A failure as a result, since that is what a model gets to read. */
export function failed(sentence: string): CallResult {
  return { content: [{ type: "text", text: sentence }], isError: true };
}

const MISSING_SCOPE: Readonly<Record<Scope, string>> = {
  "alerts:write":
    "This changes something, which this connection was not allowed (scope alerts:write). Ask the user to connect over HTTP and allow it on the consent page, or to acknowledge the alert in Binnacle.",
  "monitor:read": "This connection was not allowed to read (scope monitor:read). Ask the user to connect again and allow it.",
};

const MOST_FAULTS = 5;

function faultsOf({ input }: Tool, { issues }: z.ZodError): string {
  const faults = issues.slice(0, MOST_FAULTS).map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
  const allowed = Object.entries(input.shape).map(([name, schema]) => `${name} (${descriptionOf(schema)})`);
  return quotedText(`The arguments are not valid. ${faults.join("; ")}. Allowed: ${allowed.length === 0 ? "none" : allowed.join("; ")}`);
}

function descriptionOf(schema: z.core.$ZodType): string {
  return z.globalRegistry.get(schema)?.description ?? "no description";
}

function sentenceOf({ name, finder }: Tool, error: unknown, log: Log): string {
  if (!isServiceError(error)) {
    log.error({ err: error, tool: name }, "MCP tool failed");
    return "Something went wrong inside Binnacle; its log has the details. Other tools may still answer.";
  }
  const next = error.code === "not_found" && finder !== undefined ? ` Call ${finder} to find ids.` : "";
  return failureSentence(error, next);
}

const DEEPEST_ARGUMENT = 8;

/** Arguments that were copied from a result come with their fence. */
function unfenced(value: unknown, depth: number): unknown {
  if (typeof value === "string") return withoutFences(value);
  if (typeof value !== "object" || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((each) => unfenced(each, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, unfenced(each, depth - 1)]));
}
