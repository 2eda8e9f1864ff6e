import { readFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import { join } from "node:path";
import type { z } from "zod";
import { type Clock, nextTurnWhenDue } from "../../platform/clock.ts";
import { type ServiceError, isServiceError, messageOf } from "../../platform/errors.ts";
import { parseJson } from "../json.ts";
import { ListScanner } from "../list-scanner.ts";
import { createNetworkAddresses } from "../network-addresses.ts";
import type { NetworkAddress } from "../runtime.ts";
import type { EngineAddress } from "./address.ts";
import { connectionFailure, refusal, silence, unanswered } from "./failures.ts";
import { ENGINE_ROUTES, type EngineRequest, enginePath } from "./routes.ts";

const REQUEST_SOCKETS = 16;
/** Engines answer for figures late, and nothing else shall wait behind that. */
const STATS_SOCKETS = 16;
const LOG_SOCKETS = 128;
/** An option of the agent's sockets: while a log's reader waits nothing is read ahead, so that its lines gather in the kernel and are read together. */
const UNBUFFERED = { highWaterMark: 1 };
/** The one stream of events, and one before it that is still being closed. */
const EVENT_SOCKETS = 4;
const MAX_ERROR_BYTES = 16 * 1024;

/** What came of a request: data, or why the engine gave none. */
export type EngineAnswer<Data> = { data: Data } | EngineRefusal;

interface EngineRefusal {
  refused: { status: number; message: string };
}

export interface EngineClientOptions {
  address: EngineAddress;
  /** A folder with ca.pem, cert.pem and key.pem, each optional. */
  certPath: string | undefined;
  clock: Clock;
}

/** Whose engine it is. `podmanVersion` is null of all others. */
export interface EngineProduct {
  podmanVersion: string | null;
}

const DOCKER: EngineProduct = { podmanVersion: null };

export interface ListOptions<Schema extends z.ZodType, Item> {
  /** What was kept of an item of the same text, which is then neither parsed nor checked. */
  recall: (text: string) => Item | undefined;
  /** What is kept of an item; undefined for nothing. */
  keep: (item: z.infer<Schema>, text: string) => Item | undefined;
  signal: AbortSignal;
}

/** Reads from an engine: GET only, from the table of routes only, every answer bounded in size and time and checked against a schema. */
export interface EngineClient {
  readonly address: EngineAddress;
  /** The addresses that its name has led to, so far, and its port; empty for a socket of this machine. */
  networkAddresses(): readonly NetworkAddress[];
  /** Which API version the paths name from now on, and whose engine it is. */
  useVersion(apiVersion: string, product: EngineProduct): void;
  readonly product: EngineProduct;
  /** Whether images may be read; so until a proxy was found to deny it. */
  readonly mayReadImages: boolean;
  useImages(allowed: boolean): void;
  json<Schema extends z.ZodType>(schema: Schema, request: EngineRequest, signal?: AbortSignal): Promise<z.infer<Schema>>;
  /** The same, where a refusal is an answer too: with the engine's own message. */
  answer<Schema extends z.ZodType>(schema: Schema, request: EngineRequest, signal?: AbortSignal): Promise<EngineAnswer<z.infer<Schema>>>;
  /** The same of a list that may be long: it is read as it comes and a few items at a time, so that nothing else is held up. */
  list<Schema extends z.ZodType, Item>(
    schema: Schema,
    request: EngineRequest,
    options: ListOptions<Schema, Item>,
  ): Promise<EngineAnswer<Item[]>>;
  /** Status and headers alone: what is allowed, and what time it is there. */
  probe(request: EngineRequest, signal?: AbortSignal): Promise<{ status: number; headers: http.IncomingHttpHeaders }>;
  /** An answer that is read as it comes and ends when the engine or the signal ends it. `timeoutMs` 0 waits for its beginning without limit. */
  stream(request: EngineRequest, options: { signal: AbortSignal; timeoutMs?: number; sent?: () => void }): Promise<http.IncomingMessage>;
  close(): void;
}

export function createEngineClient({ address, certPath, clock }: EngineClientOptions): EngineClient {
  const protocol = address.kind === "tcp" && address.tls ? https : http;
  const requestAgent = new protocol.Agent({ keepAlive: true, maxSockets: REQUEST_SOCKETS, maxFreeSockets: 4, scheduling: "lifo" });
  const statsAgent = new protocol.Agent({ keepAlive: true, maxSockets: STATS_SOCKETS, maxFreeSockets: 4, scheduling: "lifo" });
  const logAgent = new protocol.Agent({ keepAlive: false, maxSockets: LOG_SOCKETS, ...UNBUFFERED });
  const eventAgent = new protocol.Agent({ keepAlive: false, maxSockets: EVENT_SOCKETS });
  let apiVersion: string | undefined;
  let product: EngineProduct = DOCKER;
  let mayReadImages = true;
  let certificates: Promise<Certificates> | undefined;
  const network = address.kind === "tcp" ? createNetworkAddresses(address) : undefined;

  async function connectOptions(): Promise<https.RequestOptions> {
    if (address.kind === "unix") return { socketPath: address.socketPath, headers: { Host: "docker" } };
    certificates ??= address.tls ? readCertificates(certPath) : Promise.resolve({});
    return { host: address.host, port: address.port, ...(await certificates) };
  }

  /** Sends a request and resolves with the beginning of its answer, whatever its status. */
  async function send(request: EngineRequest, how: SendOptions): Promise<http.IncomingMessage> {
    const { agent, timeoutMs, signal, sent } = how;
    const path = enginePath(request, apiVersion);
    const options: https.RequestOptions = { ...(await connectOptions()), agent, path, method: "GET", ...(signal && { signal }) };
    return new Promise((resolve, reject) => {
      const outgoing = protocol.request(options);
      const deadline = timeoutMs > 0 ? clock.after(timeoutMs, () => outgoing.destroy(silence(address, timeoutMs))) : undefined;
      outgoing.on("socket", (socket) => {
        socket.setKeepAlive(true, 15_000);
        network?.follow(socket);
      });
      outgoing.on("finish", () => sent?.());
      outgoing.on("response", (answer) => {
        // The deadline covers the body too, unless the caller reads it as a stream.
        if (agent === logAgent || agent === eventAgent) deadline?.cancel();
        else answer.on("close", () => deadline?.cancel());
        resolve(answer);
      });
      outgoing.on("error", (error) => {
        deadline?.cancel();
        // A kept connection that the engine closed in the same moment says nothing about the engine.
        if (outgoing.reusedSocket && "code" in error && error.code === "ECONNRESET") resolve(send(request, how));
        else reject(asFailure(error));
      });
      outgoing.end();
    });
  }

  function asFailure(error: unknown): ServiceError {
    return isServiceError(error) ? error : connectionFailure(address, error);
  }

  /** The whole body, or an error once it is larger than allowed. */
  async function readBody(answer: http.IncomingMessage, maxBytes: number, what: string): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of chunksOf(answer, maxBytes, what)) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  }

  async function* chunksOf(answer: http.IncomingMessage, maxBytes: number, what: string): AsyncGenerator<Buffer> {
    let bytes = 0;
    let isRead = false;
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw unanswered(address, `the answer to GET ${what} is larger than ${maxBytes} bytes.`);
        yield chunk;
      }
      isRead = true;
    } catch (error) {
      throw asFailure(error);
    } finally {
      // Its connection is used again.
      if (!isRead) answer.destroy();
    }
  }

  /** The beginning of an answer with data, or why there is none, in the engine's own words. */
  async function open(request: EngineRequest, how: SendOptions): Promise<{ answer: http.IncomingMessage } | EngineRefusal> {
    const answer = await send(request, how);
    if (answer.statusCode === 200) return { answer };
    const message = errorMessage(await readBody(answer, MAX_ERROR_BYTES, ENGINE_ROUTES[request.route].path));
    return { refused: { status: answer.statusCode ?? 0, message } };
  }

  function failureOf({ route }: EngineRequest, { refused }: EngineRefusal): ServiceError {
    return refusal(address, ENGINE_ROUTES[route].path, refused.status, refused.message);
  }

  async function ask<Schema extends z.ZodType>(
    schema: Schema,
    request: EngineRequest,
    signal?: AbortSignal,
  ): Promise<EngineAnswer<z.infer<Schema>>> {
    const { path, maxBytes, timeoutMs } = ENGINE_ROUTES[request.route];
    const agent = request.route === "stats" ? statsAgent : requestAgent;
    const opened = await open(request, { agent, timeoutMs, signal });
    if ("refused" in opened) return opened;
    return { data: valid(schema, parseJson(await readBody(opened.answer, maxBytes, path)), path) };
  }

  function valid<Schema extends z.ZodType>(schema: Schema, data: unknown, path: string): z.infer<Schema> {
    const parsed = schema.safeParse(data);
    if (parsed.success) return parsed.data;
    const fault = parsed.error.issues[0];
    throw unlike(path, fault && `${fault.path.join(".")}: ${fault.message}`);
  }

  function unlike(path: string, fault: string | undefined): ServiceError {
    return unanswered(address, `the answer to GET ${path} is not what an engine says${fault === undefined ? "" : ` (${fault})`}.`);
  }

  async function list<Schema extends z.ZodType, Item>(
    schema: Schema,
    request: EngineRequest,
    { recall, keep, signal }: ListOptions<Schema, Item>,
  ): Promise<EngineAnswer<Item[]>> {
    const { path, maxBytes, timeoutMs } = ENGINE_ROUTES[request.route];
    const opened = await open(request, { agent: requestAgent, timeoutMs, signal });
    if ("refused" in opened) return opened;
    const scanner = new ListScanner("whole", maxBytes);
    const scanned = (chunk: Buffer): (string | null)[] => {
      try {
        return scanner.push(chunk);
      } catch (error) {
        throw unlike(path, messageOf(error));
      }
    };
    const kept: Item[] = [];
    for await (const chunk of chunksOf(opened.answer, maxBytes, path)) {
      for (const text of scanned(chunk)) {
        const item = recall(text ?? "") ?? keep(valid(schema, parseJson(text ?? ""), path), text ?? "");
        if (item !== undefined) kept.push(item);
        const turn = nextTurnWhenDue();
        if (turn !== undefined) await turn;
      }
    }
    if (!Array.isArray(parseJson(scanner.envelope()))) throw unlike(path, "not a list, or cut off");
    return { data: kept };
  }

  return {
    address,
    networkAddresses: () => network?.all() ?? [],
    get mayReadImages() {
      return mayReadImages;
    },
    useImages(allowed) {
      mayReadImages = allowed;
    },
    get product() {
      return product;
    },
    useVersion(version, engine) {
      apiVersion = version;
      product = engine;
    },
    async json(schema, request, signal) {
      const answer = await ask(schema, request, signal);
      if ("data" in answer) return answer.data;
      throw failureOf(request, answer);
    },
    answer: ask,
    list,
    async probe(request, signal) {
      const answer = await send(request, { agent: requestAgent, timeoutMs: ENGINE_ROUTES.ping.timeoutMs, signal });
      const { statusCode: status = 0, headers } = answer;
      await readBody(answer, ENGINE_ROUTES[request.route].maxBytes, ENGINE_ROUTES[request.route].path);
      return { status, headers };
    },
    async stream(request, { signal, timeoutMs = ENGINE_ROUTES[request.route].timeoutMs, sent }) {
      // Those who follow logs must not keep events waiting for a connection.
      const agent = request.route === "events" ? eventAgent : logAgent;
      const opened = await open(request, { agent, timeoutMs, signal, sent });
      if ("refused" in opened) throw failureOf(request, opened);
      return opened.answer;
    },
    close() {
      requestAgent.destroy();
      statsAgent.destroy();
      logAgent.destroy();
      eventAgent.destroy();
    },
  };
}

interface SendOptions {
  agent: http.Agent;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  sent?: (() => void) | undefined;
}

type Certificates = Pick<https.RequestOptions, "ca" | "cert" | "key">;

async function readCertificates(folder: string | undefined): Promise<Certificates> {
  if (folder === undefined) return {};
  const [ca, cert, key] = await Promise.all(
    ["ca.pem", "cert.pem", "key.pem"].map((name) => readFile(join(folder, name)).catch(() => undefined)),
  );
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

function errorMessage(body: string): string {
  // The error page of a proxy is no sentence.
  if (/^\s*</.test(body)) return "";
  const parsed = parseJson(body);
  const text = typeof parsed === "object" && parsed !== null && "message" in parsed ? messageOf(parsed.message) : body;
  return text.trim().slice(0, 500);
}
