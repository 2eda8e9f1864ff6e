import type { IncomingHttpHeaders } from "node:http";
import { MINUTE_MS } from "../../contract/time.ts";
import { pause } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { OutboundOpened } from "../../platform/outbound.ts";
import { readBody } from "../../platform/outbound-body.ts";
import { type Repository, RegistryError } from "../image.ts";
import { type AuthorizationOptions, createAuthorization } from "./authorization.ts";
import { registryFault, statusFault } from "./faults.ts";
import { baseUrl } from "./reference.ts";
import { createLanes, type Lane, restAsked, SHORT_REST_MS } from "./lanes.ts";

export interface Question {
  repository: Repository;
  method: "GET" | "HEAD";
  /** After `/v2/REPOSITORY/`. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** What is asked for, as a sentence may say it: `library/nginx:1.25`. */
  what: string;
  /** Statuses that are an answer; any other is thrown as a RegistryError. */
  accepts: readonly number[];
  signal: AbortSignal;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Asks registries, with credentials where they want some, and no more than they like. */
export interface RegistryClient {
  ask(question: Question, maxBytes: number): Promise<Answer>;
  /** The answer with its body still to be read, which takes no turn from other questions: how fast it is read is its reader's affair. */
  stream(question: Question): Promise<OutboundOpened>;
  addressOf(repository: Repository): string;
  stop(): void;
}

const TIMEOUT_MS = 15_000;
const WHOLE_MS = { answer: MINUTE_MS, stream: 30 * MINUTE_MS };
/** After it refused to be asked and did not say for how long. */
const RATE_LIMITED_MS = MINUTE_MS;
const REFUSAL_BYTES = 16_384;

export interface ClientOptions extends AuthorizationOptions {
  log: Log;
}

export function createClient(options: ClientOptions): RegistryClient {
  const { outbound, plainHttp, clock, log } = options;
  const authorization = createAuthorization(options);
  const laneOf = createLanes(clock);
  let stopped = false;

  const addressOf = ({ registry, repository }: Repository): string => `${baseUrl(registry, plainHttp)}/v2/${repository}/`;

  async function send(
    { repository, method, path, headers, signal }: Question,
    wholeMs: number,
    credentials: string | undefined,
  ): Promise<OutboundOpened> {
    const all = { ...headers, ...(credentials === undefined ? {} : { authorization: credentials }) };
    const url = `${addressOf(repository)}${path}`;
    return outbound.open({ url, method, headers: all, signal, timeoutMs: TIMEOUT_MS, wholeMs });
  }

  async function authorized(question: Question, wholeMs: number): Promise<OutboundOpened> {
    const { repository, signal } = question;
    const opened = await send(question, wholeMs, await authorization.known(repository, signal));
    if (opened.status !== 401) return opened;
    await drain(opened);
    const again = await send(question, wholeMs, await authorization.answer(repository, opened.headers["www-authenticate"], signal));
    if (again.status !== 401) return again;
    await drain(again);
    throw await authorization.refusal(repository);
  }

  /** Waits once where a registry asks for a short rest. */
  async function patient(question: Question, wholeMs: number, lane: Lane): Promise<OutboundOpened> {
    const { registry } = question.repository;
    for (let waited = false; ; waited = true) {
      const opened = await authorized(question, wholeMs);
      const restMs = restAsked(opened.status, opened.headers, clock.now());
      const sentence = `${registry} wants no more questions for now${restMs === null ? "" : `, for ${Math.ceil(restMs / 1000)} s`}.`;
      if (restMs !== null) {
        log.debug({ registry, restMs }, "a registry wants to be left alone");
        lane.rest(restMs, "rate_limited", sentence);
      }
      if (opened.status !== 429) return opened;
      await drain(opened);
      if (waited || restMs === null || restMs > SHORT_REST_MS) throw new RegistryError("rate_limited", sentence);
      await pause(clock, restMs, question.signal);
      question.signal.throwIfAborted();
    }
  }

  async function open<Result>(question: Question, wholeMs: number, take: (opened: OutboundOpened) => Promise<Result>): Promise<Result> {
    const { repository, signal, accepts, what } = question;
    if (stopped) throw new RegistryError("unavailable", "Registries are not asked any more: the program stops.");
    const lane = laneOf(repository.registry);
    return lane.run(signal, async () => {
      try {
        const opened = await patient(question, wholeMs, lane);
        if (accepts.includes(opened.status)) return await take(opened);
        await drain(opened);
        throw statusFault(repository.registry, opened.status, what);
      } catch (error) {
        // Also when it was its token server that wants to be left alone.
        if (error instanceof RegistryError && error.reason === "rate_limited" && !lane.isResting())
          lane.rest(RATE_LIMITED_MS, error.reason, error.message);
        throw registryFault(error, signal);
      }
    });
  }

  return {
    addressOf,
    ask: (question, maxBytes) =>
      open(question, WHOLE_MS.answer, async (opened) => {
        const { status, headers } = opened;
        return { status, headers, body: question.method === "HEAD" ? Buffer.alloc(0) : await readBody(opened, maxBytes) };
      }),
    stream: (question) => open(question, WHOLE_MS.stream, async (opened) => opened),
    stop() {
      stopped = true;
    },
  };
}

/** What a refusal says is not read; where it is short the connection can be used again. */
async function drain(opened: OutboundOpened): Promise<void> {
  await readBody(opened, REFUSAL_BYTES).catch(() => undefined);
}
