import type { Plugin, Rolldown } from "vite";

/** What the first script brings along is there whenever more is loaded: naming it again for each part would take 2 kB of the first view. */
export const beginning = new Set<string>();
export const rememberBeginning: Plugin = {
  name: "remember-beginning",
  generateBundle: {
    order: "pre",
    handler(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === "chunk" && chunk.isEntry) for (const file of withImports(bundle, chunk.fileName)) beginning.add(file);
    },
  },
};

/** Stands in index.html before the style sheet, for which a script after it would wait. */
const MARK = "<!-- preload -->";

/** Read at every address, for what stands around the pages. */
export const EVERYWHERE_READ = ["health", "edition", "alerts/active"];

/** What the loader of a page reads first (router.tsx), below /api/v1/. */
export const FIRST_READ: Readonly<Record<string, readonly string[]>> = {
  "/": [
    "alerts/active/context",
    "containers",
    "endpoints",
    "heartbeats",
    "certificates",
    "resources/hosts",
    "runtime/status",
    "channels",
    "dashboard/sparklines",
  ],
  "/certificates": ["certificates"],
  "/containers": ["containers"],
  "/endpoints": ["endpoints", "dashboard/sparklines"],
  "/heartbeats": ["heartbeats"],
  "/hosts": ["resources/hosts", "runtime/status"],
  "/logs": ["containers"],
  "/map": ["topology", "containers", "endpoints", "resources/hosts", "runtime/status"],
  "/notifications": ["channels"],
  "/resources": ["resources/hosts", "containers"],
  "/status-page": ["status/components", "status/groups"],
  "/updates": ["updates?limit=200", "updates/summary", "containers"],
};

/** Modules below pages/ that are needed at the address of a section, and are not named like it. */
const FIRST_PAGES: Readonly<Record<string, string>> = {
  "kubernetes/pages": "/kubernetes",
  "notifications/channels/channels-page": "/notifications",
  "status-page/status-layout": "/status-page",
  "status-page/components/components-tab": "/status-page",
  "swarm/pages": "/swarm",
};

/**
 * The scripts and the data of the page that the address names are asked for while the first script is on its way, not after it: on a slow link that is
 * two round trips of the first view. A list is `pages/NAME/NAME-page.tsx` at `/NAME` (or one of FIRST_PAGES), one of its things `pages/NAME/detail`
 * at `/NAME/...`. An address with a query may read something else.
 */
export const preloadPage: Plugin = {
  name: "preload-page",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle = {} }) {
      const names: string[] = [];
      const pages: Record<string, Set<number | string>> = {};
      for (const chunk of Object.values(bundle)) {
        const path = chunk.type === "chunk" ? pathOf(chunk.facadeModuleId) : undefined;
        if (path === undefined) continue;
        const files = withImports(bundle, chunk.fileName).filter((file) => !beginning.has(file));
        const scripts = files.map((file) => (names.includes(file) ? names.indexOf(file) : names.push(file) - 1));
        pages[path] = new Set([...(pages[path] ?? []), ...scripts, ...(FIRST_READ[path] ?? [])]);
      }
      const asked = Object.fromEntries(Object.entries(pages).map(([path, parts]) => [path, [...parts]]));
      const scripts = names.map((name) => name.slice("assets/".length, -".js".length));
      const script = `<script>(${PRELOAD_SCRIPT})(${JSON.stringify(scripts)},${JSON.stringify(asked)})</script>`;
      const links = EVERYWHERE_READ.map((read) => `<link rel="preload" as="fetch" crossorigin href="/api/v1/${read}" />\n    `);
      return html.replace(MARK, () => links.join("") + script);
    },
  },
};

// What runs in the page is text: programs of Node know no page.
const PRELOAD_SCRIPT = `(scripts, pages) => {
  const [, section, detail] = location.pathname.split("/");
  for (const part of pages["/" + section + (detail ? "/*" : "")] ?? []) {
    if (typeof part === "string" && location.search) continue;
    const link = document.createElement("link");
    link.crossOrigin = "";
    if (typeof part === "number") Object.assign(link, { rel: "modulepreload", href: "/assets/" + scripts[part] + ".js" });
    else Object.assign(link, { rel: "preload", as: "fetch", href: "/api/v1/" + part });
    document.head.append(link);
  }
}`;

function pathOf(module: string | null): string | undefined {
  const address = FIRST_PAGES[/\/pages\/(.+)\.tsx?$/.exec(module ?? "")?.[1] ?? ""];
  if (address !== undefined) return address;
  const [, section, detail] = /\/pages\/([a-z-]+)\/(?:\1|(detail\/(?!new)[a-z]+))-page\.tsx$/.exec(module ?? "") ?? [];
  if (section === undefined) return undefined;
  return section === "overview" ? "/" : `/${section}${detail === undefined ? "" : "/*"}`;
}

function withImports(bundle: Rolldown.OutputBundle, name: string, found: string[] = []): string[] {
  const chunk = bundle[name];
  if (chunk?.type !== "chunk" || found.includes(name)) return found;
  found.push(name);
  for (const next of chunk.imports) withImports(bundle, next, found);
  return found;
}
