import { HOUR_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { type Repository, RegistryError } from "../image.ts";
import type { Answer, RegistryClient } from "./client.ts";
import { readJson } from "./faults.ts";
import { createMemory } from "./memory.ts";
import { isTag } from "./reference.ts";
import { tagsSchema } from "./schemas.ts";

export interface Tags {
  list(repository: Repository, signal: AbortSignal): Promise<{ tags: readonly string[]; complete: boolean }>;
  clear(): void;
}

/** A page as it was read. */
interface Page {
  path: string;
  etag: string | undefined;
  /** Separated by line ends: in one piece they take a quarter of the memory. */
  tags: string;
  count: number;
  next: string | undefined;
}

interface Listing {
  pages: readonly Page[];
  /** Where a listing that broke off continues. */
  continuesAt: string | undefined;
  readMs: number;
}

const PAGE = 1000;
const MOST = { pages: 100, tags: 60_000, pageBytes: 4_194_304, rememberedBytes: 12_582_912 };
/** A listing that broke off longer ago begins again: too much may have come in the pages that were read. */
const RESUMED_WITHIN_MS = 2 * HOUR_MS;

export function createTags(client: RegistryClient, clock: Clock): Tags {
  const known = createMemory<Listing>(MOST.rememberedBytes);

  async function ask(repository: Repository, path: string, before: Page | undefined, signal: AbortSignal): Promise<Page> {
    const what = `tags of ${repository.repository}`;
    const condition = before?.etag === undefined ? {} : { "if-none-match": before.etag };
    const headers = { accept: "application/json", ...condition };
    const isFirst = path === FIRST;
    const accepts = [200, ...(before?.etag === undefined ? [] : [304]), ...(isFirst ? [400] : [])];
    const answer = await client.ask({ repository, method: "GET", path, headers, what, accepts, signal }, MOST.pageBytes);
    if (answer.status === 304 && before !== undefined) return before;
    // Some registries refuse pages of this size.
    if (answer.status === 400) return { ...(await ask(repository, "tags/list", undefined, signal)), path };
    return pageOf(repository, path, answer, before);
  }

  function pageOf(repository: Repository, path: string, { body, headers }: Answer, before: Page | undefined): Page {
    const listed = readJson(body, tagsSchema, `The list of tags of ${repository.repository}`).tags ?? [];
    const tags = listed.filter(isTag).join("\n");
    const last = listed.at(-1);
    const linked = nextPage(headers["link"], client.addressOf(repository), repository.repository);
    // A full page without a link: of a registry that takes `last`, or of one that has just so many.
    const next = linked ?? (listed.length === PAGE && last !== undefined ? `${FIRST}&last=${encodeURIComponent(last)}` : undefined);
    const etag = (headers.etag?.length ?? 0) > 256 ? undefined : headers.etag;
    // The same text is held once.
    if (before?.tags === tags && before.next === next) return { ...before, etag };
    return { path, etag, tags, count: listed.length, next };
  }

  return {
    async list(repository, signal) {
      const key = `${repository.registry}/${repository.repository}`;
      const before = known.get(key);
      const byPath = new Map((before?.pages ?? []).map((page) => [page.path, page]));
      const resumed = before?.continuesAt !== undefined && clock.monotonicMs() - before.readMs < RESUMED_WITHIN_MS ? before : undefined;
      const pages: Page[] = [...(resumed?.pages ?? [])];
      const visited = new Set(pages.map(({ path }) => path));
      const keep = (continuesAt: string | undefined): void => {
        const bytes = pages.reduce((sum, page) => sum + page.tags.length + page.path.length + 200, 0);
        known.set(key, { pages, continuesAt, readMs: clock.monotonicMs() }, bytes);
      };
      let count = pages.reduce((sum, page) => sum + page.count, 0);
      let path: string | undefined = resumed?.continuesAt ?? FIRST;
      while (path !== undefined && pages.length < MOST.pages && count < MOST.tags) {
        if (visited.has(path)) throw new RegistryError("malformed", `The pages of tags of ${repository.repository} lead in a circle.`);
        visited.add(path);
        try {
          const page: Page = await ask(repository, path, byPath.get(path), signal);
          // A registry that knows no pages gives the same again for `last`.
          const isRepeated = page.tags !== "" && page.tags === pages.at(-1)?.tags;
          path = isRepeated ? undefined : page.next;
          if (isRepeated) break;
          pages.push(page);
          count += page.count;
        } catch (error) {
          const isPassing = signal.aborted || (error instanceof RegistryError && error.isPassing);
          if (pages.length > 0 && isPassing) keep(path);
          throw error;
        }
      }
      keep(undefined);
      const tags = [...new Set(pages.flatMap((page) => (page.tags === "" ? [] : page.tags.split("\n"))))];
      return { tags: tags.slice(0, MOST.tags), complete: path === undefined && tags.length <= MOST.tags };
    },
    clear: () => known.clear(),
  };
}

const FIRST = `tags/list?n=${PAGE}`;

const LONGEST_HEADER = 8192;

/**
 * Where the next page is, as `Link: </v2/.../tags/list?...>; rel="next"` says: its path after `address`, the repository's own address. Undefined
 * when there is none. A page elsewhere is refused: credentials would go there. Source: RFC 8288; distribution specification, Listing tags.
 */
export function nextPage(header: string | string[] | undefined, address: string, what: string): string | undefined {
  // As URLs are compared: without the default port.
  const base = new URL(address).href;
  const text = Array.isArray(header) ? header.join(", ") : (header ?? "");
  if (text.length > LONGEST_HEADER)
    throw new RegistryError("malformed", `The list of tags of ${what} has too long a link to its next page.`);
  for (const [, target = "", parameters = ""] of text.matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (!/;\s*rel\s*=\s*"?next"?\s*(?:[;,]|$)/i.test(parameters)) continue;
    const url = URL.parse(target, `${base}tags/list`);
    if (url === null || !url.href.startsWith(`${base}tags/list`))
      throw new RegistryError("refused", `The list of tags of ${what} continues at another address, which is not followed.`);
    return url.href.slice(base.length);
  }
  return undefined;
}
