import { judgeOf } from "./conformity.ts";
import type { Reply } from "./caller.ts";
import type { DeclaredAnswer, Schema } from "./document.ts";
import type { Call } from "./requests.ts";

/** How an answer broke the contract. */
export interface Finding {
  rule:
    | "server_error"
    | "undeclared_status"
    | "content_type"
    | "body"
    | "envelope"
    | "accepted_invalid"
    | "refused_valid"
    | "wrong_status"
    | "allow"
    | "request_id"
    | "unanswered";
  operation: string;
  text: string;
}

const ENVELOPE: Schema = {
  type: "object",
  required: ["error"],
  additionalProperties: false,
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      additionalProperties: false,
      properties: { code: { type: "string", minLength: 1 }, message: { type: "string", minLength: 1 }, details: {} },
    },
  },
};

/** What refuses the input itself; a conflict, a missing record, or a refusal that the operation names itself, does not. */
const REFUSALS: ReadonlySet<unknown> = new Set(["invalid_request", "validation_failed", "payload_too_large", "unsupported_media_type"]);

/** All that is wrong with an answer. */
export function findingsOf(call: Call, reply: Reply, methods: readonly string[]): Finding[] {
  const found: Finding[] = [];
  const note = (rule: Finding["rule"], text: string): void =>
    void found.push({ rule, operation: call.operation.id, text: described(call, reply, text) });
  const declared = call.operation.answers.get(reply.status);

  if (reply.headers["x-request-id"] === undefined) note("request_id", "there is no X-Request-Id");
  if (reply.status >= 500 && (reply.status === 500 || declared?.isOwn !== true)) note("server_error", "the server failed");
  if (call.expected === 405) return [...found, ...methodFindings(call, reply, methods)];
  // Authorization is checked before the input.
  if (typeof call.expected === "number" && reply.status !== call.expected && reply.status !== 401 && !isOfNothing(call, reply))
    note("wrong_status", `${call.expected} was to come`);
  if (call.expected === "found" && reply.status === 404) note("wrong_status", "the record is not found");
  if ((call.expected === "accepted" || call.expected === "found") && REFUSALS.has(codeOf(reply)))
    note("refused_valid", "valid input was refused");
  if (call.expected === "refused" && reply.status < 400) note("accepted_invalid", "invalid input was accepted");
  if (declared === undefined) {
    note("undeclared_status", `${reply.status} is not declared`);
    if (reply.status >= 400 && call.method !== "HEAD") for (const fault of envelopeFaults(reply)) note("envelope", fault);
    return found;
  }
  for (const [rule, text] of bodyFaults(call, reply, declared)) note(rule, text);
  return found;
}

/** What such records are of, as a cluster, is not watched: an operation that reads them may say what to do instead. */
function isOfNothing({ expected, method, operation }: Call, { status }: Reply): boolean {
  return expected === 404 && status === 409 && method === "GET" && operation.answers.has(409);
}

function bodyFaults(call: Call, reply: Reply, { content }: DeclaredAnswer): [Finding["rule"], string][] {
  if (call.method === "HEAD") return [];
  const medias = Object.keys(content);
  if (medias.length === 0) return reply.text === "" ? [] : [["body", "no body is declared"]];
  const given = mediaTypeOf(reply);
  const media = medias.find((each) => matches(each, given));
  if (media === undefined) return [["content_type", `it is ${given || "of no type"}, declared is ${medias.join(", ")}`]];
  if (reply.isStream || given !== "application/json") return [];
  const parsed = parse(reply.text);
  if (parsed === undefined) return [["body", "it is not JSON"]];
  const schema = content[media];
  if (schema === undefined) return reply.status >= 400 ? envelopeFaults(reply).map((fault) => ["envelope", fault]) : [];
  const fault = judgeOf(schema)(parsed.value);
  if (fault === undefined) return [];
  return [[reply.status >= 400 && judgeOf(ENVELOPE)(parsed.value) !== undefined ? "envelope" : "body", fault]];
}

function methodFindings(call: Call, reply: Reply, methods: readonly string[]): Finding[] {
  const note = (rule: Finding["rule"], text: string): Finding => ({
    rule,
    operation: call.operation.id,
    text: described(call, reply, text),
  });
  const found: Finding[] = [];
  if (reply.status !== 405) found.push(note("wrong_status", "405 was to come"));
  const allow = String(reply.headers["allow"] ?? "")
    .split(", ")
    .filter((method) => method !== "HEAD" && method !== "OPTIONS");
  if (allow.toSorted().join() !== methods.toSorted().join())
    found.push(note("allow", `Allow is ${allow.join(", ")}, the path takes ${methods.join(", ")}`));
  for (const fault of envelopeFaults(reply)) found.push(note("envelope", fault));
  return found;
}

function envelopeFaults(reply: Reply): string[] {
  if (mediaTypeOf(reply) !== "application/json") return [`an error is ${mediaTypeOf(reply) || "of no type"}`];
  const parsed = parse(reply.text);
  const fault = parsed === undefined ? "it is not JSON" : judgeOf(ENVELOPE)(parsed.value);
  return fault === undefined ? [] : [fault];
}

/** The code of an error in its envelope. */
function codeOf({ text, status }: Reply): unknown {
  const body = status < 400 ? undefined : parse(text)?.value;
  const error = typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function mediaTypeOf({ headers }: Reply): string {
  return (headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
}

function matches(declared: string, given: string): boolean {
  return declared === given || declared === "*/*" || (declared.endsWith("/*") && given.startsWith(declared.slice(0, -1)));
}

function described({ phase, what, method, target, body }: Call, { status, text }: Reply, fault: string): string {
  const sent = body === undefined ? "" : ` with ${body.slice(0, 300)}`;
  return `${fault}: ${method} ${target.slice(0, 300)}${sent}\n    (${phase}: ${what.slice(0, 200)}) was answered by ${status} ${text.slice(0, 400)}`;
}
