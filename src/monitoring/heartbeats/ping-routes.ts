import { KEPT_BODY_BYTES } from "../../contract/heartbeat.ts";
import { answersOf } from "../../http/answers.ts";
import { Answer, route, type Route, type RouteRequest } from "../../http/route.ts";
import { bodyHead } from "../../http/schemas.ts";
import { cleanName } from "../../platform/text.ts";
import { exitCodeParams, pingParams, pingQuery } from "./api.ts";
import type { PingIntake, Signal } from "./pings.ts";
import type { PingOrigin } from "./rows.ts";

const answer = answersOf(() => import("./answers.ts"));

const common = { tag: "Ping routes", access: "public", query: pingQuery, responses: { 200: answer("pinged") } } as const;
const posted = {
  ...common,
  method: "POST",
  unaudited: "a ping is data: the heartbeat's history has it",
  body: bodyHead,
  bodyHeadBytes: KEPT_BODY_BYTES,
} as const;

/** A string: Node sends it in one piece with the headers, which a Buffer is not. */
const OK = '{"ok":true}';
const OK_HEADERS = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };

type PingRequest = RouteRequest<{ uuid: string }, { rid?: string | undefined }, unknown>;

/** The addresses that jobs call, without authentication: whoever knows the uuid may. Answered once the ping is kept. */
export function pingRoutes(intake: PingIntake): Route[] {
  async function take(request: PingRequest, signal: Omit<Signal, "rid">): Promise<Answer> {
    const rid = request.query.rid?.toLowerCase() ?? null;
    await intake.receive(request.params.uuid, { ...signal, rid }, originOf(request));
    return new Answer(200, OK, OK_HEADERS);
  }

  const plain = ([path, summary, kind]: [path: string, summary: string, kind: Signal["kind"]]): Route[] => {
    const handle = (request: PingRequest): Promise<Answer> => take(request, { kind, exitCode: null });
    return [
      route({ ...common, method: "GET", path, summary, params: pingParams, handle }),
      route({ ...posted, path, summary, params: pingParams, handle }),
    ];
  };
  const ended = (request: PingRequest & { params: { exit_code: number } }): Promise<Answer> =>
    take(request, { kind: "exit_code", exitCode: request.params.exit_code });
  const exitCode = { path: "/ping/{uuid}/{exit_code}", summary: "A job ended with this exit code; 0 is success", params: exitCodeParams };

  return [
    ...plain(["/ping/{uuid}", "A job ended well", "success"]),
    ...plain(["/ping/{uuid}/start", "A job begins", "start"]),
    ...plain(["/ping/{uuid}/fail", "A job failed", "fail"]),
    ...plain(["/ping/{uuid}/log", "Something to note about a job; changes nothing", "log"]),
    route({ ...common, ...exitCode, method: "GET", handle: ended }),
    route({ ...posted, ...exitCode, handle: ended }),
  ];
}

function originOf({ clientAddress, method, headers, body }: PingRequest): PingOrigin {
  const userAgent = cleanName(headers["user-agent"] ?? "");
  return {
    sourceIp: clientAddress,
    method,
    userAgent: userAgent === "" ? null : userAgent,
    body: Buffer.isBuffer(body) ? textOf(body) : null,
  };
}

/** Read as UTF-8, without a character that the end cuts in two, and without NUL, which PostgreSQL cannot keep. */
function textOf(body: Buffer): string {
  return new TextDecoder().decode(body, { stream: body.length === KEPT_BODY_BYTES }).replaceAll("\0", "�");
}
