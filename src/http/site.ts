import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { isProgramPath } from "../contract/program-paths.ts";
import { acceptsEncoding } from "./encodings.ts";
import { renderPage } from "./page.ts";
import { Answer } from "./route.ts";

/** The built web app. */
export interface Site {
  /** Its HTML page, whose inline scripts the content security policy must allow. */
  readonly indexHtml: string;
  /** The file at a path; the app's page for any other address that a browser navigates to; else undefined. */
  find(path: string, headers: IncomingHttpHeaders): SiteFile | undefined;
}

export interface SiteFile {
  /** The page and the scripts require the admin token; icons and the manifest are fetched without credentials. */
  readonly guarded: boolean;
  readonly isPage: boolean;
  answer(headers: IncomingHttpHeaders): Promise<Answer>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

const ENCODINGS = [
  { name: "br", extension: ".br" },
  { name: "gzip", extension: ".gz" },
] as const;

/**
 * Serves the files that exist in `root` at the first request, and no others: requests only select from this table, so no path can lead out of the
 * folder. Without a built app it serves a page that says how to build it.
 */
export function openSite(root: string | undefined): Site {
  const indexPath = root === undefined ? undefined : join(root, "index.html");
  let listed: Map<string, SiteFile> | undefined;
  return {
    indexHtml: indexPath !== undefined && existsSync(indexPath) ? readFileSync(indexPath, "utf8") : "",
    find(path, headers) {
      const files = (listed ??= root === undefined ? new Map<string, SiteFile>() : listFiles(root));
      const page = files.get("/index.html") ?? unbuiltPage;
      const file = path === "/" ? page : files.get(path);
      const isNavigation = headers.accept?.includes("text/html") === true && !isProgramPath(path);
      return file ?? (isNavigation ? page : undefined);
    },
  };
}

function listFiles(root: string): Map<string, SiteFile> {
  const entries =
    statSync(root, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(root, { recursive: true, withFileTypes: true }) : [];
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const known = new Set(paths);
  const files = paths
    .filter((path) => !ENCODINGS.some(({ extension }) => path.endsWith(extension)))
    .map((path): [string, SiteFile] => {
      const url = `/${relative(root, path).split(sep).join("/")}`;
      return [url, createSiteFile(url, path, (extension) => known.has(path + extension))];
    });
  return new Map(files);
}

function createSiteFile(url: string, path: string, hasVariant: (extension: string) => boolean): SiteFile {
  const { size, mtimeMs } = statSync(path);
  const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
  const isHashed = url.startsWith("/assets/");
  const variants = ENCODINGS.filter(({ extension }) => hasVariant(extension));
  const isPage = url.endsWith(".html");
  const headers = {
    "content-type": MEDIA_TYPES[extname(url)] ?? "application/octet-stream",
    "cache-control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
    etag,
    ...(variants.length > 0 ? { vary: "Accept-Encoding" } : {}),
  };
  return {
    guarded: isPage || isHashed,
    isPage,
    async answer(asked) {
      if (asked["if-none-match"] === etag) return new Answer(304, undefined, headers);
      const variant = variants.find(({ name }) => acceptsEncoding(asked["accept-encoding"], name));
      const body = await readFile(path + (variant?.extension ?? ""));
      return new Answer(200, body, variant === undefined ? headers : { ...headers, "content-encoding": variant.name });
    },
  };
}

const unbuiltPage: SiteFile = {
  guarded: false,
  isPage: true,
  answer: () =>
    Promise.resolve(
      new Answer(
        503,
        renderPage({
          title: "Not built",
          body: "<h1>The web app is not built</h1>\n<p>The API and the monitoring run. To build the app, run <code>npm run build</code> in the source folder and start Binnacle again.</p>",
        }),
        { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
      ),
    ),
};
