import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { pipeline } from "node:stream/promises";
import { AwsV4Signer } from "aws4fetch";
import { MINUTE_MS } from "../../contract/time.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { StartError } from "../../platform/errors.ts";
import { type Outbound, OutboundError, type OutboundOpened } from "../../platform/outbound.ts";
import { readBody } from "../../platform/outbound-body.ts";
import { cleanName } from "../../platform/text.ts";

export interface S3Settings {
  /** `https://HOST[:PORT]`; the bucket is the first part of the path. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKey: string;
  secretKey: string;
}

export interface S3Request {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Of the object; the bucket itself when absent. */
  key?: string;
  query?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

export interface S3Client {
  /** Answers headers and the text of the body. Throws an S3Error. */
  request(request: S3Request): Promise<{ headers: IncomingHttpHeaders; text: string }>;
  /** Writes an object into a file that is not there. Throws an S3Error, or what the file system says. */
  download(key: string, path: string): Promise<void>;
}

/** What a store answered, or why it could not be asked: a sentence with its host, and never with a credential. */
export class S3Error extends StartError {
  /** Undefined without an answer. */
  readonly status: number | undefined;

  constructor(sentence: string, status?: number) {
    super(sentence);
    this.status = status;
  }
}

/** Waited before a request is repeated. */
const AGAIN_AFTER_MS = [1000, 4000] as const;
const LARGEST_ANSWER = 4 * 1024 * 1024;
/** To the first line of an answer; a request of a large body gets more. */
const SHORTEST_MS = MINUTE_MS;
const SLOWEST_BYTES_PER_MS = 20;
const IDLE_MS = MINUTE_MS;

/** Signed requests to one bucket, each repeated when a fault may pass; all are broken off by the signal. */
export function createS3Client(
  settings: S3Settings,
  outbound: Pick<Outbound, "open">,
  clock: Clock,
  signal: AbortSignal = new AbortController().signal,
): S3Client {
  const { endpoint, bucket, region, accessKey: accessKeyId, secretKey: secretAccessKey } = settings;
  const { host } = new URL(endpoint);

  async function open({ method, key, query = {}, body }: S3Request): Promise<OutboundOpened> {
    const search = new URLSearchParams(query).toString();
    const url = `${endpoint}/${bucket}${key === undefined ? "" : `/${key}`}${search === "" ? "" : `?${search}`}`;
    const sha256 = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const signed = await new AwsV4Signer({
      method,
      url,
      headers: { "x-amz-content-sha256": sha256 },
      accessKeyId,
      secretAccessKey,
      region,
      service: "s3",
      datetime: clock
        .now()
        .toISOString()
        .replaceAll(/[-:]|\.\d+/g, ""),
    }).sign();
    return outbound.open({
      method,
      url: signed.url.href,
      headers: Object.fromEntries(signed.headers),
      ...(body === undefined ? {} : { body }),
      signal,
      timeoutMs: SHORTEST_MS + (body?.length ?? 0) / SLOWEST_BYTES_PER_MS,
      idleMs: IDLE_MS,
    });
  }

  /** The store's own word, which it may also send with status 200 after a long time. */
  function refusal(status: number, text: string): S3Error {
    const code = cleanName(textsOf(text, "Code")[0] ?? "without a reason", 80);
    const message = cleanName(textsOf(text, "Message")[0] ?? "", 300);
    return new S3Error(`${host} answered ${status}, ${code}${message === "" ? "" : `: ${message}`}`, status);
  }

  async function once<Result>(request: S3Request, read: (opened: OutboundOpened) => Promise<Result>): Promise<Result> {
    try {
      const opened = await open(request);
      if (opened.status >= 200 && opened.status < 300) return await read(opened);
      throw refusal(opened.status, (await readBody(opened, LARGEST_ANSWER)).toString());
    } catch (error) {
      if (error instanceof OutboundError) throw new S3Error(error.message);
      throw error;
    }
  }

  async function repeated<Result>(request: S3Request, read: (opened: OutboundOpened) => Promise<Result>): Promise<Result> {
    for (const waitMs of AGAIN_AFTER_MS) {
      try {
        return await once(request, read);
      } catch (error) {
        if (!(error instanceof S3Error) || !mayPass(error)) throw error;
        await pause(clock, waitMs, signal);
      }
    }
    return once(request, read);
  }

  return {
    request: (request) =>
      repeated(request, async (opened) => {
        const text = (await readBody(opened, LARGEST_ANSWER)).toString();
        if (/<Error[ >]/.test(text)) throw refusal(opened.status, text);
        return { headers: opened.headers, text };
      }),
    download: (key, path) =>
      repeated({ method: "GET", key }, ({ body }) => pipeline(body, createWriteStream(path, { flags: "w", mode: 0o600 }))),
  };
}

function mayPass({ status }: S3Error): boolean {
  return status === undefined || status < 300 || status >= 500 || status === 429;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The texts of all elements of a name that hold text alone, in an answer of an S3-compatible store. */
export function textsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) => decoded(text));
}

/** The contents of all elements of a name that has no elements of the same name in it. */
export function elementsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, content = ""]) => content);
}

function decoded(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}
