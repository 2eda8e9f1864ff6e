import { ServiceError } from "../../../platform/errors.ts";

/** A kind as the API server serves it. `group` "" is the core group. */
export interface ApiResource {
  group: string;
  version: string;
  plural: string;
  kind: string;
  namespaced: boolean;
}

/** The path of a resource: of all of them, of those of a namespace, of one by its name, or of a part of one, as `log`. */
export function resourcePath(
  { group, version, plural, namespaced }: Pick<ApiResource, "group" | "version" | "plural" | "namespaced">,
  { namespace, name, part }: { namespace?: string | null | undefined; name?: string; part?: string } = {},
): string {
  return [
    group === "" ? `/api/${version}` : `/apis/${group}/${version}`,
    ...(namespaced && namespace != null ? ["namespaces", segment(namespace)] : []),
    plural,
    ...(name === undefined ? [] : [segment(name)]),
    ...(part === undefined ? [] : [part]),
  ].join("/");
}

/** As `pods`, or `deployments.apps`: how roles and kubectl name it. */
export function resourceName({ group, plural }: Pick<ApiResource, "group" | "plural">): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** A name comes from the cluster or an address of ours: it must not lead elsewhere. */
function segment(name: string): string {
  if (["", ".", ".."].includes(name)) throw new ServiceError("not_found", "No object of Kubernetes has such a name.");
  return encodeURIComponent(name);
}
