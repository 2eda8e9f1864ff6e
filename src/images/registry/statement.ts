import type { BillOfMaterials } from "../image.ts";
import { parseJson } from "./json.ts";
import { envelopeSchema, statementSchema } from "./schemas.ts";

/** What a media type, an artifact type or the type of a predicate says a document is. */
export function formatOf(type: string | null | undefined): BillOfMaterials["format"] | undefined {
  const lower = type?.toLowerCase() ?? "";
  if (lower.includes("spdx")) return "spdx";
  return lower.includes("cyclonedx") ? "cyclonedx" : undefined;
}

/** The document may be inside a statement about an image, which may be inside an envelope with its signature. */
export function mayHoldStatement(type: string | null | undefined): boolean {
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
