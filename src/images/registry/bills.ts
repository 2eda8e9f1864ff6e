import { type AttachedBills, type BillOfMaterials, type PlatformImage, RegistryError } from "../image.ts";
import type { Blobs } from "./blobs.ts";
import type { RegistryClient } from "./client.ts";
import { parseJson } from "./faults.ts";
import { type Manifests, type Manifest, parseManifest } from "./manifests.ts";
import { envelopeSchema, statementSchema } from "./schemas.ts";

/** Documents attached to an image that say what it is made of, at most four. */
export type ReadBills = (image: PlatformImage, signal: AbortSignal) => Promise<AttachedBills>;

const MOST = { documents: 4, documentBytes: 33_554_432, blobs: 32, manifests: 16, listBytes: 4_194_304 };
/** Statements of the same image that are of no use here, such as how it was built. */
const PREDICATE_TYPE = "in-toto.io/predicate-type";

export function createBills(client: RegistryClient, manifests: Manifests, blobs: Blobs): ReadBills {
  interface Holders {
    layers: (Manifest & { kind: "image" })["layers"];
    /** Manifests that are not looked into. */
    unread: number;
  }

  /** BuildKit lists them beside the image that they are about. Source: Docker, Image attestation storage. */
  async function attested(image: PlatformImage, signal: AbortSignal): Promise<Holders> {
    if (image.indexDigest === null) return { layers: [], unread: 0 };
    const index = await manifests.read(image, { digest: image.indexDigest }, signal);
    const entries = index.kind === "index" ? index.manifests : [];
    const about = entries.filter(({ annotations }) => annotations?.["vnd.docker.reference.digest"] === image.digest);
    return readAll(image, about, signal);
  }

  /** Others attach them to its digest. Source: OCI distribution specification, Listing referrers, and its fallback to a tag. */
  async function referring(image: PlatformImage, signal: AbortSignal): Promise<Holders> {
    const list =
      (await listAt(image, `referrers/${image.digest}`, signal)) ??
      (await listAt(image, `manifests/${image.digest.replace(":", "-")}`, signal));
    const entries = list?.kind === "index" ? list.manifests : [];
    const useful = entries.filter(
      ({ artifactType }) => !artifactType || formatOf(artifactType) !== undefined || mayHoldStatement(artifactType),
    );
    // Signatures may be many, and look like what may hold a document.
    const isSure = ({ artifactType }: (typeof useful)[number]): boolean => formatOf(artifactType) !== undefined;
    return readAll(image, [...useful.filter(isSure), ...useful.filter((each) => !isSure(each))], signal);
  }

  async function listAt(image: PlatformImage, path: string, signal: AbortSignal): Promise<Manifest | undefined> {
    const what = `documents of ${image.repository}`;
    const headers = { accept: "application/vnd.oci.image.index.v1+json" };
    // Registries answer an unknown request with different statuses.
    const accepts = [200, 400, 404, 405, 406];
    const answer = await client.ask({ repository: image, method: "GET", path, headers, what, accepts, signal }, MOST.listBytes);
    return answer.status === 200 ? parseManifest(answer.body, answer.headers["content-type"], image.digest, what) : undefined;
  }

  async function readAll(image: PlatformImage, entries: readonly { digest: string }[], signal: AbortSignal): Promise<Holders> {
    const layers: Holders["layers"] = [];
    for (const { digest } of entries.slice(0, MOST.manifests)) {
      const manifest = await manifests.read(image, { digest }, signal);
      if (manifest.kind === "image") layers.push(...manifest.layers);
    }
    return { layers, unread: Math.max(entries.length - MOST.manifests, 0) };
  }

  /** Takes the documents that `isTaken` says are about the image. */
  async function documentsIn(
    image: PlatformImage,
    holders: Holders,
    isTaken: (bill: BillOfMaterials) => boolean,
    signal: AbortSignal,
  ): Promise<AttachedBills> {
    const bills: BillOfMaterials[] = [];
    const likely = holders.layers.filter(isLikely);
    let bytesLeft = MOST.documentBytes * 2;
    let { unread } = holders;
    for (const [index, layer] of likely.entries()) {
      if (bills.length === MOST.documents || index === MOST.blobs) {
        unread += likely.length - index;
        break;
      }
      if ((layer.size ?? 0) > bytesLeft)
        throw new RegistryError("too_large", `The documents of what ${image.repository} is made of are too large to be read.`);
      const body = await blobs.whole(image, layer.digest, { maxBytes: Math.min(MOST.documentBytes, bytesLeft), signal });
      bytesLeft -= body.length;
      const bill = billIn(body, `A document of what ${image.repository} is made of`);
      if (bill === undefined) unread += statedFormatOf(layer) === undefined ? 0 : 1;
      else if (isTaken(bill)) bills.push(bill);
    }
    return { bills, unread };
  }

  return async (image, signal) => {
    const beside = await documentsIn(image, await attested(image, signal), (bill) => !isOfStage(bill), signal);
    if (beside.bills.length > 0) return beside;
    const { bills, unread } = await documentsIn(image, await referring(image, signal), () => true, signal);
    return { bills, unread: beside.unread + unread };
  };
}

type Labelled = Pick<(Manifest & { kind: "image" })["layers"][number], "mediaType" | "annotations">;

/** What a layer says that it holds: undefined for another thing, and where only its content would show it. */
function statedFormatOf({ mediaType, annotations }: Labelled): BillOfMaterials["format"] | undefined {
  return formatOf(mediaType) ?? formatOf(annotations?.[PREDICATE_TYPE]);
}

function isLikely(layer: Labelled): boolean {
  if (statedFormatOf(layer) !== undefined) return true;
  return mayHoldStatement(layer.mediaType) && layer.annotations?.[PREDICATE_TYPE] === undefined;
}

/**
 * Whether a document of BuildKit is about a stage of the build or its context: what is there need not be in the image. Source: BuildKit,
 * frontend/attestations/sbom, which calls the image `sbom` and the others `sbom-NAME`; scanners call their documents by it.
 */
function isOfStage({ format, document }: BillOfMaterials): boolean {
  const name = format === "spdx" ? fieldOf(document, "name") : fieldOf(fieldOf(fieldOf(document, "metadata"), "component"), "name");
  return typeof name === "string" && /(?:^|\/)sbom-[^/]+$/.test(name);
}

/** What a media type, an artifact type or the type of a predicate says a document is. */
function formatOf(type: string | null | undefined): BillOfMaterials["format"] | undefined {
  const lower = type?.toLowerCase() ?? "";
  if (lower.includes("spdx")) return "spdx";
  return lower.includes("cyclonedx") ? "cyclonedx" : undefined;
}

/** The document may be inside a statement about an image, which may be inside an envelope with its signature. */
function mayHoldStatement(type: string | null | undefined): boolean {
  return /in-toto|dsse|sigstore\.bundle/i.test(type ?? "");
}

/**
 * The document in a blob: itself, or the predicate of a statement. Undefined when it is neither. Signatures are not checked: what is taken is
 * what the registry gives out with the image, as its layers are. Sources: in-toto attestation, Statement; DSSE.
 */
export function billIn(body: Buffer, what: string): BillOfMaterials | undefined {
  const json = parseJson(body, what);
  const envelope = envelopeSchema.safeParse(json);
  const inner = envelope.success ? parseJson(Buffer.from(envelope.data.payload, "base64"), what) : json;
  const statement = statementSchema.safeParse(inner);
  if (!statement.success) return documentOf(inner);
  const { predicateType, predicate } = statement.data;
  // Some wrap the document once more.
  const document = documentOf(predicate) ?? documentOf(fieldOf(predicate, "Data"));
  return formatOf(predicateType) === undefined ? undefined : document;
}

function documentOf(value: unknown): BillOfMaterials | undefined {
  if (typeof fieldOf(value, "spdxVersion") === "string") return { format: "spdx", document: value };
  return fieldOf(value, "bomFormat") === "CycloneDX" ? { format: "cyclonedx", document: value } : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
