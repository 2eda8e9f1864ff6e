/** Registries that take 20 ms for every answer: so many as the first argument says. The first one wants a token. They share so many images as the second says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { serveQuestions } from "../questions.ts";
import { contentOf, type Document, repositoryOf, tagsOf } from "../registry-content.ts";

const LATENCY_MS = 20;
const [count = 1, images = 1] = process.argv.slice(2).map(Number);

const tags = new Map(Array.from({ length: images }, (_, image) => [repositoryOf(image), tagsOf(image)]));
/** Of the tags that were asked about. */
const documents = new Map<string, Document>();
let requests = 0;
let failures = 0;

const servers = await Promise.all(
  Array.from({ length: count }, async (_, index) => {
    const server = createServer((request, response) => void answer(request, response, index === 0));
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
  }),
);
const ports = servers.map((server) => {
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
});

async function answer(request: IncomingMessage, response: ServerResponse, wantsToken: boolean): Promise<void> {
  requests += 1;
  await wait(LATENCY_MS);
  const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
  if (url.pathname === "/token") return send(response, 200, { "content-type": "application/json" }, '{"token":"bench","expires_in":3600}');
  if (wantsToken && request.headers.authorization !== "Bearer bench") {
    const challenge = `Bearer realm="${url.origin}/token",service="bench",scope="repository:${repositoryIn(url)}:pull"`;
    return send(response, 401, { "www-authenticate": challenge }, "");
  }
  const [, repository = "", kind = "", name = ""] = /^\/v2\/(.+)\/(tags|manifests|blobs)\/([^/]+)$/.exec(url.pathname) ?? [];
  const all = tags.get(repository);
  if (all === undefined) return fail(response);
  if (kind === "tags") return list(request, response, url, { repository, all });
  const document = name.startsWith("sha256:") ? documents.get(name) : all.includes(name) ? taggedDocument(repository, name) : undefined;
  if (document === undefined) return fail(response);
  const headers = { "content-type": document.mediaType, "docker-content-digest": document.digest, etag: `"${document.digest}"` };
  send(response, 200, headers, document.body);
}

function repositoryIn({ pathname }: URL): string {
  return /^\/v2\/(.+)\/(?:tags|manifests|blobs)\//.exec(pathname)?.[1] ?? "";
}

function taggedDocument(repository: string, tag: string): Document {
  const content = contentOf(repository, tag);
  for (const document of content.documents) documents.set(document.digest, document);
  return content.index;
}

/** A page of tags in the order of their text, by `n` and `last`. */
function list(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { repository, all }: { repository: string; all: readonly string[] },
): void {
  const size = Number(url.searchParams.get("n") ?? all.length);
  const last = url.searchParams.get("last");
  const from = last === null ? 0 : all.findIndex((tag) => tag > last);
  const page = from === -1 ? [] : all.slice(from, from + size);
  const etag = `"${repository}-${from}-${page.length}"`;
  if (request.headers["if-none-match"] === etag) return send(response, 304, { etag }, "");
  const more = from !== -1 && from + size < all.length;
  const link = `</v2/${repository}/tags/list?n=${size}&last=${encodeURIComponent(page.at(-1) ?? "")}>; rel="next"`;
  send(
    response,
    200,
    { "content-type": "application/json", etag, ...(more ? { link } : {}) },
    JSON.stringify({ name: repository, tags: page }),
  );
}

function fail(response: ServerResponse): void {
  failures += 1;
  send(response, 404, { "content-type": "application/json" }, '{"errors":[{"code":"NAME_UNKNOWN"}]}');
}

function send(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, { ...headers, ...(status === 304 ? {} : { "content-length": Buffer.byteLength(body) }) });
  // To HEAD, node:http sends no body.
  response.end(body);
}

serveQuestions(0, {
  ports: () => ({ ports }),
  /** How many there were since the last time of asking. */
  requests() {
    const counts = { requests, failures };
    requests = 0;
    failures = 0;
    return counts;
  },
});
