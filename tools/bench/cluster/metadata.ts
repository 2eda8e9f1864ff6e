/** What all objects of the bench's cluster have, in the form and about the size of an API server's. */

const STARTED = Date.parse("2026-03-01T12:00:00Z");

/** A uid that is always that of the same object. `of` is below 256. */
export function uidOf(of: number, number: number): string {
  return `${hex(0x5e000000 + of, 8)}-${hex(number % 65_536, 4)}-4a7c-9b1d-${hex(number * 2_654_435, 12)}`;
}

/** As an API server writes it: whole seconds. */
export function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** When an object was made: not all in the same second. */
export function createdAt(number: number): string {
  return timeOf(STARTED + (number % 3600) * 1000);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0").slice(-digits);
}

export interface Owner {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
}

export interface MetadataFacts {
  name: string;
  /** undefined: the kind is in no namespace. */
  namespace?: string;
  uid: string;
  version: number;
  number: number;
  generateName?: string;
  labels: Record<string, string>;
  annotations?: Record<string, string>;
  owner?: Owner;
  /** Who wrote which fields of it. */
  managers: readonly { manager: string; subresource?: string; at: string; fields: object }[];
}

export function metadataOf(facts: MetadataFacts): object {
  const { name, namespace, uid, version, number, generateName, labels, annotations, owner, managers } = facts;
  return {
    name,
    ...(generateName !== undefined && { generateName }),
    ...(namespace !== undefined && { namespace }),
    uid,
    resourceVersion: String(version),
    generation: 1,
    creationTimestamp: createdAt(number),
    labels,
    ...(annotations && { annotations }),
    ...(owner && { ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }] }),
    managedFields: managers.map(({ manager, subresource, at, fields }) => ({
      ...{ manager, operation: "Update", apiVersion: "v1", time: at, fieldsType: "FieldsV1", fieldsV1: fields },
      ...(subresource !== undefined && { subresource }),
    })),
  };
}

/** The names of fields that a manager owns, as managedFields has them. */
export function fieldsOf(names: readonly string[], inner: object = {}): object {
  return Object.fromEntries(names.map((name) => [`f:${name}`, inner]));
}
