import type { TemplateContainer, WorkloadSecurity } from "../../../observations/kubernetes.ts";
import type { ContainerAnswer, PodSpecAnswer } from "./schemas.ts";
import { amountsOf, protocolOf } from "./values.ts";

/** The containers of a pod or its template, those that do its work first. */
export function templateContainers(spec: PodSpecAnswer | null | undefined): TemplateContainer[] {
  return kindsOf(spec).map(({ kind, container: { name, image, resources } }) => ({
    name,
    kind,
    image: image ?? "",
    requests: amountsOf(resources?.requests),
    limits: amountsOf(resources?.limits),
  }));
}

interface Placed {
  kind: TemplateContainer["kind"];
  container: ContainerAnswer;
}

export function kindsOf(spec: PodSpecAnswer | null | undefined): Placed[] {
  return [
    ...(spec?.containers ?? []).map((container): Placed => ({ kind: "app", container })),
    ...(spec?.initContainers ?? []).map((container): Placed => ({
      kind: container.restartPolicy === "Always" ? "sidecar" : "init",
      container,
    })),
    ...(spec?.ephemeralContainers ?? []).map((container): Placed => ({ kind: "ephemeral", container })),
  ];
}

/** null where there is no template. */
export function securityOf(spec: PodSpecAnswer | null | undefined): WorkloadSecurity | null {
  if (spec == null) return null;
  const lasting = kindsOf(spec).filter(({ kind }) => kind === "app" || kind === "sidecar");
  const all = kindsOf(spec).map(({ container }) => container);
  const namesOf = (isSo: (container: ContainerAnswer) => boolean, among = all): string[] => among.filter(isSo).map(({ name }) => name);
  const works = lasting.map(({ container }) => container);
  return {
    privileged: namesOf(({ securityContext }) => securityContext?.privileged === true),
    hostNetwork: spec.hostNetwork === true,
    hostPid: spec.hostPID === true,
    hostIpc: spec.hostIPC === true,
    hostPaths: (spec.volumes ?? []).flatMap(({ hostPath }) => hostPath?.path ?? []),
    hostPorts: all.flatMap(({ name, ports }) =>
      (ports ?? []).flatMap(({ hostPort, protocol }) =>
        hostPort == null || hostPort === 0 ? [] : [{ container: name, port: hostPort, protocol: protocolOf(protocol) }],
      ),
    ),
    runsAsRoot: namesOf((each) => isRoot(each, spec)),
    withoutMemoryLimit: namesOf(({ resources }) => resources?.limits?.["memory"] === undefined, works),
    withoutCpuLimit: namesOf(({ resources }) => resources?.limits?.["cpu"] === undefined, works),
    addedCapabilities: [...new Set(all.flatMap(({ securityContext }) => securityContext?.capabilities?.add ?? []))],
    serviceAccount: spec.serviceAccountName || "default",
    automountsToken: spec.automountServiceAccountToken !== false,
  };
}

/** Whether its spec says so. Which user an image asks for is not known here. */
function isRoot({ securityContext }: ContainerAnswer, { securityContext: ofPod }: PodSpecAnswer): boolean {
  const isRefused = securityContext?.runAsNonRoot ?? ofPod?.runAsNonRoot ?? false;
  return !isRefused && (securityContext?.runAsUser ?? ofPod?.runAsUser) === 0;
}
