/**
 * An API server over TLS with a cluster of so many workloads of ten pods as the first argument says, and so many Jobs as the second: discovery, lists in
 * pages, watches that resume from a version, and the metrics API. It writes a kubeconfig into the folder of the third argument.
 */
import { writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DAY_MS } from "../../../src/contract/time.ts";
import { kubeconfigOf } from "../../../test/support/kubernetes/kubeconfigs.ts";
import { createAuthority } from "../../../test/support/tls-authority.ts";
import { createBenchCluster, KINDS, type ServedKind } from "../cluster/cluster.ts";
import { serveQuestions } from "../questions.ts";

const [workloads = "1", jobs = "1", folder = "."] = process.argv.slice(2);
const BOOKMARK_EVERY_MS = 60_000;
/** So much of the past can be watched from: more than happens between two watches. */
const REMEMBERED = 2000;
const TICK_MS = 10;

const cluster = createBenchCluster({ workloads: Number(workloads), jobs: Number(jobs) });
const watchers = new Map<string, Set<ServerResponse>>();
const history = new Map<string, { version: number; line: string }[]>();
/** Lists of which pages are left, by kind and version. */
const pages = new Map<string, readonly object[]>();
/** When each change was written, and the event that shows it. */
const written: [number, string][] = [];

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? "/", "https://api.test");
  if (request.headers.authorization !== "Bearer bench") return refuse(response, 401, "Unauthorized");
  if (pathname === "/version") return send(response, { major: "1", minor: "32", gitVersion: "v1.32.4", platform: "linux/amd64" });
  if (pathname === "/apis/metrics.k8s.io/v1beta1/pods") return send(response, cluster.podMetrics());
  if (pathname === "/apis/metrics.k8s.io/v1beta1/nodes") return send(response, cluster.nodeMetrics());
  if (pathname === "/api/v1/namespaces/kube-system") return send(response, cluster.objects("namespaces")[0] ?? {});
  const discovered = discovery(pathname);
  if (discovered !== undefined) return send(response, discovered);
  const kind = KINDS.find((each) => `${pathOf(each)}/${each.plural}` === pathname);
  if (kind === undefined) return refuse(response, 404, "NotFound");
  if (searchParams.get("watch") === "true") return watch(response, kind, searchParams);
  list(response, kind, searchParams);
}

function pathOf({ group, version }: Pick<ServedKind, "group" | "version">): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

function discovery(pathname: string): object | undefined {
  if (pathname === "/api") return { kind: "APIVersions", versions: ["v1"] };
  if (pathname === "/apis") {
    const groups = new Map(KINDS.filter(({ group }) => group !== "").map(({ group, version }) => [group, version]));
    const versionOf = (group: string, version: string): object => ({ groupVersion: `${group}/${version}`, version });
    return {
      ...{ kind: "APIGroupList", apiVersion: "v1" },
      groups: [...groups].map(([name, version]) => {
        return { name, versions: [versionOf(name, version)], preferredVersion: versionOf(name, version) };
      }),
    };
  }
  const resources = KINDS.filter((each) => pathOf(each) === pathname).map(({ plural, kind, namespaced }) => {
    return { name: plural, singularName: kind.toLowerCase(), namespaced, kind, verbs: ["get", "list", "watch"] };
  });
  return resources.length === 0 ? undefined : { kind: "APIResourceList", groupVersion: pathname.slice(6), resources };
}

/** Items of a list have neither their kind nor its version. */
function list(response: ServerResponse, { plural, kind, group, version }: ServedKind, query: URLSearchParams): void {
  const [listed, from] = (query.get("continue") ?? `${cluster.version()} 0`).split(" ").map(Number);
  const start = from ?? 0;
  const objects = pages.get(`${plural} ${listed}`) ?? cluster.objects(plural);
  const end = Math.min(objects.length, start + Number(query.get("limit") ?? objects.length));
  const items = objects.slice(start, end).map((object) => ({ ...object, kind: undefined, apiVersion: undefined }));
  const left = objects.length - end;
  if (left > 0) pages.set(`${plural} ${listed}`, objects);
  else pages.delete(`${plural} ${listed}`);
  send(response, {
    ...{ kind: `${kind}List`, apiVersion: group === "" ? version : `${group}/${version}` },
    metadata: { resourceVersion: String(listed), ...(left > 0 && { continue: `${listed} ${end}`, remainingItemCount: left }) },
    items,
  });
}

function watch(response: ServerResponse, { plural, kind, group, version }: ServedKind, query: URLSearchParams): void {
  const from = Number(query.get("resourceVersion"));
  const past = history.get(plural) ?? [];
  const missed = past.filter((each) => each.version > from);
  if (missed.length === REMEMBERED) return refuse(response, 410, "Expired");
  response.writeHead(200, { "content-type": "application/json" });
  response.flushHeaders();
  for (const { line } of missed) response.write(line);
  const bookmark = (): void => {
    const object = {
      kind,
      apiVersion: group === "" ? version : `${group}/${version}`,
      metadata: { resourceVersion: String(cluster.version()) },
    };
    response.write(`${JSON.stringify({ type: "BOOKMARK", object })}\n`);
  };
  const of = watchers.get(plural) ?? new Set();
  watchers.set(plural, of.add(response));
  const timers = [setInterval(bookmark, BOOKMARK_EVERY_MS), setTimeout(end, Number(query.get("timeoutSeconds") ?? 300) * 1000)];
  response.on("close", leave);

  function leave(): void {
    of.delete(response);
    for (const timer of timers) clearTimeout(timer);
  }

  function end(): void {
    leave();
    response.end();
  }
}

function change(): void {
  const { plural, version, object, shownBy } = cluster.change(Date.now());
  const line = `${JSON.stringify({ type: "MODIFIED", object })}\n`;
  const past = history.get(plural) ?? [];
  history.set(plural, past);
  past.push({ version, line });
  if (past.length > REMEMBERED) past.shift();
  written.push([Date.now(), shownBy]);
  for (const response of watchers.get(plural) ?? []) response.write(line);
}

/** So many changes a second, each when it is due. */
async function changeSteadily(perSecond: number, seconds: number): Promise<void> {
  const startedMs = performance.now();
  let made = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - startedMs) / 1000) * perSecond));
      for (; made < due; made += 1) change();
      if (made < perSecond * seconds) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function refuse(response: ServerResponse, code: number, reason: string): void {
  response.writeHead(code, { "content-type": "application/json" });
  response.end(JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", message: reason, reason, code }));
}

const authority = createAuthority(folder);
const life = { from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + DAY_MS) };
const ca = await authority.issue({ ...life, name: "ca", extensions: ["basicConstraints = critical,CA:true"] });
const own = await authority.issue({ ...life, name: "server", issuer: ca, extensions: ["subjectAltName = IP:127.0.0.1"] });
const server = createServer({ cert: own.cert, key: own.key }, answer);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
// It listens on a port, not on a path.
const { port } = server.address() as AddressInfo;
const address = `https://127.0.0.1:${port}`;
writeFileSync(join(folder, "kubeconfig"), kubeconfigOf({ address, caFile: ca.certFile, user: { token: "bench" } }));

serveQuestions(port, {
  /** Resolves when all were made. */
  async change({ perSecond, seconds }) {
    await changeSteadily(Number(perSecond), Number(seconds));
    return {};
  },
  /** What was written since this was asked last. */
  written: () => ({ written: written.splice(0) }),
  /** Bytes of a pod. */
  podBytes: () => ({ podBytes: JSON.stringify(cluster.objects("pods")[0]).length }),
});
