import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { PassThrough } from "node:stream";
import type { z } from "zod";
import { type Clock, pause } from "../../../platform/clock.ts";
import { messageOf } from "../../../platform/errors.ts";
import { cleanName } from "../../../platform/text.ts";
import { parseJson } from "../../json.ts";
import { createNetworkAddresses } from "../../network-addresses.ts";
import type { ClusterAccess } from "./access.ts";
import type { ApiAnswer, ApiRefusal, KubernetesClient, ReadOptions, StreamOptions } from "./client.ts";
import { type Credentials, createCredentialSource } from "./credentials.ts";
import { connectionFailure, silence, unavailable } from "./failures.ts";

const REQUEST_SOCKETS = 8;
/** Watches, of each kind one, those who read logs, and pages of lists. */
const STREAM_SOCKETS = 512;
const TIMEOUT_MS = 30_000;
const MAX_BODY_BYTES = 32 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
const KEEP_ALIVE_MS = 15_000;
const JSON_TYPE = "application/json";
/** An API server that has too much to do says when to come again. */
const MOST_RETRIES = 3;
const LONGEST_RETRY_SECONDS = 10;

interface Outgoing {
  method: "GET" | "POST" | "PUT";
  path: string;
  query: Record<string, string> | undefined;
  accept: string;
  body: string | undefined;
  agent: http.Agent;
  signal: AbortSignal;
  timeoutMs: number;
  /** Whether the time is for the beginning of the answer alone. */
  isStream: boolean;
}

/** A client of the cluster. Nothing is sent before it is asked for something. */
export function createKubernetesClient(access: ClusterAccess, clock: Clock): KubernetesClient {
  const protocol = access.isTls ? https : http;
  const requestAgent = new protocol.Agent({ keepAlive: true, maxSockets: REQUEST_SOCKETS, maxFreeSockets: 2, scheduling: "lifo" });
  const streamAgent = new protocol.Agent({ keepAlive: false, maxSockets: STREAM_SOCKETS });
  const credentials = createCredentialSource(access, clock);
  const network = createNetworkAddresses(access);
  const closing = new AbortController();

  function send(outgoing: Outgoing, { authorization, tls }: Credentials): Promise<http.IncomingMessage> {
    const { method, path, query, accept, body, agent, signal, timeoutMs, isStream } = outgoing;
    const parameters = query === undefined ? "" : `?${new URLSearchParams(query).toString()}`;
    const serverName = access.serverName ?? (isIP(access.host) === 0 ? access.host : undefined);
    const options: https.RequestOptions = {
      agent,
      method,
      host: access.host,
      port: access.port,
      path: `${access.basePath}${path}${parameters}`,
      headers: {
        Accept: accept,
        "User-Agent": "binnacle",
        ...(authorization !== null && { Authorization: authorization }),
        ...(body !== undefined && { "Content-Type": JSON_TYPE, "Content-Length": Buffer.byteLength(body) }),
      },
      signal: AbortSignal.any([signal, closing.signal]),
      ...(access.isTls && { ...tls, rejectUnauthorized: access.isVerified, ...(serverName !== undefined && { servername: serverName }) }),
    };
    return new Promise((resolve, reject) => {
      const request = protocol.request(options);
      let answering: http.IncomingMessage | undefined;
      // A request that has an answer would end it without a reason.
      const deadline = clock.after(timeoutMs, () => (answering ?? request).destroy(silence(access, timeoutMs)));
      request.on("socket", (socket) => {
        socket.setKeepAlive(true, KEEP_ALIVE_MS);
        network.follow(socket);
      });
      request.on("response", (answer) => {
        if (isStream) deadline.cancel();
        else answer.on("close", () => deadline.cancel());
        answering = answer;
        resolve(answer);
      });
      request.on("error", (error) => {
        deadline.cancel();
        // A kept connection that was closed in the same moment says nothing about the API server.
        const isStale = request.reusedSocket && "code" in error && error.code === "ECONNRESET" && method === "GET";
        if (isStale) resolve(send(outgoing, { authorization, tls }));
        else reject(failure(error, signal));
      });
      request.end(body);
    });
  }

  /** The one who aborts a request knows why; any other error is a failure of the connection. */
  function failure(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    if (closing.signal.aborted) return unavailable(access, "the connection to it was closed.");
    return connectionFailure(access, error);
  }

  /** The beginning of an answer with a status of success, or what was refused. */
  async function open(outgoing: Outgoing): Promise<{ answer: http.IncomingMessage } | { refused: ApiRefusal }> {
    let wasReread = false;
    for (let retries = 0; ;) {
      outgoing.signal.throwIfAborted();
      const answer = await send(outgoing, await credentials.current());
      const status = answer.statusCode ?? 0;
      if (status >= 200 && status < 300) return { answer };
      const refused = refusalOf(status, await readBody(answer, MAX_ERROR_BYTES, outgoing).catch(() => ""));
      const retrySeconds = Number(answer.headers["retry-after"]);
      if (status === 401 && !wasReread) {
        wasReread = true;
        credentials.reread();
      } else if ([429, 503].includes(status) && retrySeconds > 0 && retrySeconds <= LONGEST_RETRY_SECONDS && retries < MOST_RETRIES) {
        retries += 1;
        await pause(clock, retrySeconds * 1000, outgoing.signal);
      } else return { refused };
    }
  }

  /** The whole body, or an error once it is larger than allowed. */
  async function readBody(answer: http.IncomingMessage, maxBytes: number, { path, signal }: Outgoing): Promise<string> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw unavailable(access, `the answer to ${path} is larger than ${maxBytes} bytes.`);
        chunks.push(chunk);
      }
    } catch (error) {
      answer.destroy();
      throw failure(error, signal);
    }
    return Buffer.concat(chunks, bytes).toString("utf8");
  }

  async function ask<T>(
    schema: z.ZodType<T>,
    request: Pick<Outgoing, "method" | "path" | "body">,
    { query, signal, timeoutMs = TIMEOUT_MS }: ReadOptions,
  ): Promise<ApiAnswer<T>> {
    const outgoing: Outgoing = { ...request, query, accept: JSON_TYPE, signal, timeoutMs, agent: requestAgent, isStream: false };
    const opened = await open(outgoing);
    if ("refused" in opened) return opened;
    const parsed = schema.safeParse(parseJson(await readBody(opened.answer, MAX_BODY_BYTES, outgoing)));
    if (parsed.success) return { data: parsed.data };
    const fault = parsed.error.issues[0];
    throw unavailable(
      access,
      `the answer to ${request.path} is not what an API server says (${fault?.path.join(".") ?? ""}: ${fault?.message ?? ""}). Check that the address is that of an API server.`,
    );
  }

  return {
    address: access.address,
    networkAddresses: network.all,
    namespace: access.namespace,
    read: (schema, path, options) => ask(schema, { method: "GET", path, body: undefined }, options),
    write: (schema, method, path, ...[body, options]) => ask(schema, { method, path, body: JSON.stringify(body) }, options),
    async stream(path, options: StreamOptions) {
      const { query, signal, timeoutMs = TIMEOUT_MS, idleTimeoutMs, accept = JSON_TYPE } = options;
      const opened = await open({
        method: "GET",
        path,
        query,
        accept,
        body: undefined,
        agent: streamAgent,
        signal,
        timeoutMs,
        isStream: true,
      });
      if ("refused" in opened) return opened;
      const { answer } = opened;
      const body = new PassThrough();
      // Measured by what arrives: a slow reader does not make the API server silent.
      let lastMs = clock.monotonicMs();
      answer.on("data", () => void (lastMs = clock.monotonicMs()));
      let idle = idleTimeoutMs === undefined ? undefined : clock.after(idleTimeoutMs, checkIdle);
      function checkIdle(): void {
        const limitMs = idleTimeoutMs ?? 0;
        const leftMs = lastMs + limitMs - clock.monotonicMs();
        if (leftMs > 0 || answer.isPaused()) idle = clock.after(Math.max(leftMs, 1000), checkIdle);
        else body.destroy(silence(access, limitMs));
      }
      answer.on("error", (error) => body.destroy(asError(failure(error, signal))));
      body.on("close", () => {
        idle?.cancel();
        answer.destroy();
      });
      answer.pipe(body);
      return { body };
    },
    async close() {
      closing.abort();
      requestAgent.destroy();
      streamAgent.destroy();
    },
  };
}

/** A refusal in the words of the API server, or of what stands before it. */
function refusalOf(status: number, body: string): ApiRefusal {
  const parsed = parseJson(body);
  const { message, reason } = typeof parsed === "object" && parsed !== null ? { message: undefined, reason: undefined, ...parsed } : {};
  const redirect = status >= 300 && status < 400 ? "It answers with a redirect, which is not followed." : "";
  // The error page of a proxy is no sentence.
  const plain = /^\s*[<{]/.test(body) ? "" : body;
  return {
    status,
    reason: typeof reason === "string" && reason !== "" ? cleanName(reason, 100) : null,
    message: cleanName(
      typeof message === "string" && message !== "" ? message : redirect || plain || http.STATUS_CODES[status] || `status ${status}`,
      1000,
    ),
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
}
