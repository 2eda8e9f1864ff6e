/** What the registries of the bench hold; worked out by whoever needs it, so that both sides know the same digests. */
import { createHash } from "node:crypto";

export interface Document {
  digest: string;
  mediaType: string;
  body: string;
}

/** What a tag leads to: a list of two platforms, an image for each, and its configuration. */
export interface Content {
  index: Document;
  /** All of it, by digest. */
  documents: readonly Document[];
}

const INDEX = "application/vnd.oci.image.index.v1+json";
const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const CONFIG = "application/vnd.oci.image.config.v1+json";
const LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";
/** Every so many images have many tags, as those have that are built every night. */
const MANY_EVERY = 50;
/** Every so many are run by a tag without a version. */
const FLOATING_EVERY = 10;

export function repositoryOf(image: number): string {
  return `team/app-${image}`;
}

/** `1.0.0` to `3.9.9`, of some to `5.97.9`, and `latest`. */
export function tagsOf(image: number): string[] {
  const [majors, minors] = image % MANY_EVERY === 0 ? [5, 98] : [3, 10];
  const tags = ["latest"];
  for (let major = 1; major <= majors; major += 1) {
    for (let minor = 0; minor < minors; minor += 1) for (let patch = 0; patch < 10; patch += 1) tags.push(`${major}.${minor}.${patch}`);
  }
  return tags.sort();
}

/** Which tag its containers run: most are behind, every third is not. */
export function runningTag(image: number): string {
  if (image % FLOATING_EVERY === 5) return "latest";
  if (image % 3 === 0) return image % MANY_EVERY === 0 ? "5.97.9" : "3.9.9";
  return "2.4.1";
}

export function contentOf(repository: string, tag: string): Content {
  const documents: Document[] = [];
  const put = (mediaType: string, value: object): Document => {
    const body = JSON.stringify(value);
    const document = { mediaType, body, digest: digestOf(body) };
    documents.push(document);
    return document;
  };
  const manifests = ["amd64", "arm64"].map((architecture) => {
    const config = put(CONFIG, {
      created: "2026-01-15T10:00:00Z",
      architecture,
      os: "linux",
      config: {
        Env: ["PATH=/usr/local/bin:/usr/bin:/bin", "NODE_VERSION=22.4.0"],
        Cmd: ["node", "server.js"],
        Labels: { "org.opencontainers.image.source": `https://git.example/${repository}`, "org.opencontainers.image.version": tag },
      },
      rootfs: { type: "layers", diff_ids: [digestOf(`${repository}:${tag}:${architecture}`)] },
    });
    const layers = Array.from({ length: 5 }, (_, at) => ({
      mediaType: LAYER,
      digest: digestOf(`${repository} ${tag} ${at}`),
      size: 1_000_000,
    }));
    const manifest = put(MANIFEST, {
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: { mediaType: CONFIG, digest: config.digest, size: config.body.length },
      layers,
    });
    return { mediaType: MANIFEST, digest: manifest.digest, size: manifest.body.length, platform: { os: "linux", architecture } };
  });
  const index = put(INDEX, { schemaVersion: 2, mediaType: INDEX, manifests });
  return { index, documents };
}

function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
