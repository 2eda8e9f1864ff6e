import { Readable } from "node:stream";
import { DAY_MS, HOUR_MS } from "../contract/time.ts";
import {
  type Images,
  loadLocalReaders,
  type Package,
  type PlatformImage,
  RegistryError,
  type ImageReaders,
  type Version,
} from "../images/index.ts";
import { type Clock, pause } from "../platform/clock.ts";
import { CONTAINERS } from "./world/containers.ts";
import { olderImage } from "./world/generations.ts";
import { digestOf, imageIdOf } from "./world/identity.ts";
import { noise, seedOf } from "./world/noise.ts";
import { familyOf, type Release, RELEASES, type Weakness, WEAKNESSES } from "./world/releases.ts";

/** How long a question to a made-up registry takes, so that a scan is seen. */
const ANSWER_MS = 60;
const ENVIRONMENT = {
  go: [],
  node: ["NODE_VERSION=22.11.0"],
  java: ["JAVA_VERSION=17.0.13"],
  debian: [],
  python: ["PYTHON_VERSION=3.12.7"],
};

interface Known {
  /** With its tag, as containers name it. */
  image: string;
  digest: string;
  builtMs: number;
  /** Of one that no container runs. */
  release: Release | undefined;
}

export interface DemoImagesOptions {
  /** The start of the demo, by which versions are placed in time. */
  nowMs: number;
  clock: Clock;
  /** Without it every answer is there at once. */
  pauses: boolean;
}

/** Registries, vulnerabilities and release notes that are made up: a scan finds newer versions of half of the images, and contacts nothing. */
export async function createDemoImages({ nowMs, clock, pauses }: DemoImagesOptions): Promise<ImageReaders> {
  const known = knownImages(nowMs);
  const byDigest = new Map(known.map((each) => [each.digest, each]));
  const { rules, readReference, mirrored } = await loadLocalReaders();

  function find(of: { registry: string; repository: string }, version: Version): Known {
    const found = "digest" in version ? byDigest.get(version.digest) : known.findLast((each) => isTagOf(each, of, version.tag));
    if (found === undefined) throw new RegistryError("not_found", "The registry does not have this image.");
    return found;
  }
  function isTagOf({ image }: Known, { registry, repository }: { registry: string; repository: string }, tag?: string): boolean {
    const read = readReference(image);
    return "registry" in read && read.registry === registry && read.repository === repository && (tag === undefined || read.tag === tag);
  }
  const answer = async (signal: AbortSignal): Promise<void> => (pauses ? pause(clock, ANSWER_MS, signal) : undefined);

  return {
    rules,
    readReference,
    mirrored,
    registries: {
      async digestOf(of, version, signal) {
        await answer(signal);
        return find(of, version).digest;
      },
      async image({ registry, repository }, version, _platform, signal): Promise<PlatformImage> {
        await answer(signal);
        const { image, digest, release } = find({ registry, repository }, version);
        const configDigest = release === undefined ? imageIdOf(image) : imageIdOf(`${image} newest`);
        return { registry, repository, indexDigest: null, digest, configDigest, layers: [], annotations: {} };
      },
      async tags(of, signal) {
        await answer(signal);
        return {
          tags: known.filter((each) => isTagOf(each, of)).map(({ image }) => image.slice(image.lastIndexOf(":") + 1)),
          complete: true,
        };
      },
      async config({ digest }) {
        const { image, builtMs, release } = byDigest.get(digest) ?? { image: "", builtMs: nowMs, release: undefined };
        const labels = release === undefined ? {} : { "org.opencontainers.image.source": release.source };
        const environment = ENVIRONMENT[familyOf(image)];
        return { platform: null, createdAt: new Date(builtMs), labels, environment, command: null, entrypoint: null };
      },
      blob: async () => Readable.from([]),
      billsOfMaterials: async () => ({ bills: [], unread: 0 }),
      stop: () => undefined,
    },
    packages: {
      async packagesOf({ digest }) {
        const found = byDigest.get(digest);
        const packages = found === undefined ? [] : packagesOf(found);
        return { source: "sbom", packages, complete: true, note: null };
      },
    },
    vulnerabilities: {
      find: async ({ packages }) => ({ known: true, vulnerabilities: packages.flatMap(weaknessesIn), note: null, checkedAt: clock.now() }),
    },
    changelogs: {
      async between({ sourceUrl, availableTag }) {
        const release = RELEASES.find(({ source, newest }) => source === sourceUrl && newest === availableTag);
        if (release === undefined) return undefined;
        const url = `${release.source}/releases`;
        const entry = {
          version: release.newest,
          title: release.newest,
          url,
          publishedAt: new Date(publishedMs(release, nowMs)).toISOString(),
        };
        const breaking = /BREAKING: (.*)/.exec(release.notes)?.[1];
        return { entries: [{ ...entry, text: release.notes, breaking: breaking === undefined ? [] : [breaking] }], url, note: null };
      },
    },
  };
}

/** The same as what a server opens. */
export function openDemoImages(options: DemoImagesOptions): Images {
  let opened: Promise<ImageReaders> | undefined;
  return { readers: () => (opened ??= createDemoImages(options)), start: async () => undefined, stop: async () => undefined };
}

function publishedMs({ daysAgo, image }: Release, nowMs: number): number {
  // Before the scan of this morning, and not all at the same hour.
  return nowMs - daysAgo * DAY_MS - (5 + (seedOf(image) % 9)) * HOUR_MS;
}

/** What containers run, what they ran before, and what is newer. */
function knownImages(nowMs: number): Known[] {
  const run = [...new Set(CONTAINERS.flatMap(({ image }) => [olderImage(image), image]))].map((image): Known => {
    const ageDays = CONTAINERS.find((container) => container.image === image)?.ageDays ?? 60;
    return { image, digest: digestOf(image), builtMs: nowMs - (ageDays + 3) * DAY_MS, release: undefined };
  });
  const newest = RELEASES.map((release): Known => {
    const image = `${release.image}:${release.newest}`;
    return { image, digest: digestOf(`${image} newest`), builtMs: publishedMs(release, nowMs), release };
  });
  return [...run, ...newest];
}

/** The libraries of an image: of a newer one in versions without what was known, of what runs some with. */
function packagesOf({ image, release }: Known): Package[] {
  const seed = seedOf(image);
  const family = WEAKNESSES[familyOf(image)];
  return [...new Map(family.map((each) => [each.package, each])).values()].map((each, index) => {
    const isWeak = release === undefined && noise(seed, 40, index) > 0.45;
    return { ecosystem: each.ecosystem, name: each.package, version: isWeak ? each.version : each.fixedIn, source: null };
  });
}

function weaknessesIn({ ecosystem, name, version }: Package) {
  const all = Object.values(WEAKNESSES).flat();
  return all.filter((each) => each.ecosystem === ecosystem && each.package === name && each.version === version).map(vulnerabilityOf);
}

function vulnerabilityOf({ id, ...each }: Weakness) {
  return { ...each, id, osvId: id, vector: null, url: `https://osv.dev/vulnerability/${id}` };
}
