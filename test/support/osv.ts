import { type IncomingMessage, createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { crc32, deflateRawSync } from "node:zlib";

/** A record as OSV publishes them: whatever a test says of it. */
export interface TestRecord extends Record<string, unknown> {
  id: string;
}

export const VECTORS = {
  critical: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H",
  high: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N",
  medium: "CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N",
} as const;

/** A record of one package. Without a fix all later versions are affected. */
export function osvRecord({
  id,
  ecosystem,
  name,
  introduced = "0",
  fixed,
  vector,
  type = ecosystem === "npm" ? "SEMVER" : "ECOSYSTEM",
  specific,
  ...rest
}: {
  id: string;
  ecosystem: string;
  name: string;
  introduced?: string;
  fixed?: string;
  vector?: string;
  type?: string;
  specific?: object;
  [field: string]: unknown;
}): TestRecord {
  return {
    schema_version: "1.7.3",
    id,
    modified: "2026-02-01T10:00:00.123456Z",
    published: "2026-01-01T08:00:00Z",
    ...(vector === undefined ? {} : { severity: [{ type: vector.startsWith("CVSS:4") ? "CVSS_V4" : "CVSS_V3", score: vector }] }),
    affected: [
      {
        package: { ecosystem, name, purl: `pkg:generic/${name}` },
        ranges: [{ type, events: [{ introduced }, ...(fixed === undefined ? [] : [{ fixed }])] }],
        ...(specific === undefined ? {} : { ecosystem_specific: specific }),
      },
    ],
    ...rest,
  };
}

/** One question as the server got it. */
export interface OsvQuery {
  package?: { ecosystem?: string; name?: string };
  version?: string;
  page_token?: string;
}

/** The interface of OSV on a loopback port. */
export interface OsvServer {
  url: string;
  port: number;
  /** By id; may be changed at any time. */
  records: Map<string, unknown>;
  /** Ids that it finds for a question, a page each. */
  find: (query: OsvQuery) => readonly (readonly string[])[];
  /** Answers in place of it, unless false. */
  instead: (request: { path: string; body: string; index: number }, response: ServerResponse) => boolean;
  requests: { method: string; path: string; body: string; headers: IncomingMessage["headers"] }[];
  stop(): Promise<void>;
}

export async function startOsvServer(records: readonly TestRecord[] = []): Promise<OsvServer> {
  const kept = new Map<string, unknown>(records.map((record) => [record.id, record]));
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => answer(request, Buffer.concat(pieces).toString(), response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  function answer({ method = "", url: path = "", headers }: IncomingMessage, body: string, response: ServerResponse): void {
    osv.requests.push({ method, path, body, headers });
    if (osv.instead({ path, body, index: osv.requests.length - 1 }, response)) return;
    if (method === "POST" && path === "/v1/querybatch") {
      const { queries } = JSON.parse(body) as { queries: OsvQuery[] };
      return send(response, 200, { results: queries.map(found) });
    }
    const record = kept.get(decodeURIComponent(path.replace(/^\/v1\/vulns\//, "")));
    if (method === "GET" && record !== undefined) send(response, 200, record);
    else send(response, 404, { code: 5, message: "Bug not found." });
  }

  function found(query: OsvQuery): object {
    const pages = osv.find(query);
    const page = Number(query.page_token ?? 0);
    const ids = pages[page] ?? [];
    const vulns = ids.map((id) => ({
      id,
      modified: (kept.get(id) as { modified?: string } | undefined)?.modified ?? "2026-02-01T10:00:00Z",
    }));
    return { ...(vulns.length === 0 ? {} : { vulns }), ...(page + 1 < pages.length ? { next_page_token: String(page + 1) } : {}) };
  }

  const osv: OsvServer = {
    url: `http://127.0.0.1:${port}`,
    port,
    records: kept,
    find: ({ package: asked }) => [
      [...kept.values()].flatMap((record) => {
        const { id, affected = [] } = record as { id: string; affected?: { package: { ecosystem: string; name: string } }[] };
        return affected.some(({ package: named }) => named.ecosystem === asked?.ecosystem && named.name === asked.name) ? [id] : [];
      }),
    ],
    instead: () => false,
    requests: [],
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return osv;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** A zip file as OSV publishes one for each ecosystem: every second file stored, the others deflated. `extra` stands behind each name. */
export function zipOf(
  files: Readonly<Record<string, string | Buffer>>,
  { comment = "", zip64 = false, extra = Buffer.alloc(0) } = {},
): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [index, [name, content]] of Object.entries(files).entries()) {
    const plain = Buffer.from(content);
    const packed = index % 2 === 0 ? deflateRawSync(plain) : plain;
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(index % 2 === 0 ? 8 : 0, 4);
    head.writeUInt32LE(crc32(plain), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(plain.length, 18);
    head.writeUInt16LE(Buffer.byteLength(name), 22);
    head.writeUInt16LE(extra.length, 24);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), head, Buffer.from(name), extra, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), head, rest, Buffer.from(name), extra]));
    locals.push(local);
    at += local.length;
  }
  const list = Buffer.concat(directory);
  const count = directory.length;
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(zip64 ? 0xffff : count, 8);
  end.writeUInt16LE(zip64 ? 0xffff : count, 10);
  end.writeUInt32LE(zip64 ? 0xffff_ffff : list.length, 12);
  end.writeUInt32LE(zip64 ? 0xffff_ffff : at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...locals, list, ...(zip64 ? [end64(at, list.length, count)] : []), end, Buffer.from(comment)]);
}

function end64(at: number, bytes: number, count: number): Buffer {
  const record = Buffer.alloc(56);
  record.write("PK\u0006\u0006", "latin1");
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(bytes), 40);
  record.writeBigUInt64LE(BigInt(at), 48);
  const locator = Buffer.alloc(20);
  locator.write("PK\u0006\u0007", "latin1");
  locator.writeBigUInt64LE(BigInt(at + bytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator]);
}
