import { z } from "zod";

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** What is read of a Lease. Its times are of the clocks of others, so only whether they change matters. */
export const leaseAnswer = z.object({
  metadata: z.object({ resourceVersion: z.string() }).loose(),
  spec: z
    .object({
      holderIdentity: text,
      leaseDurationSeconds: z.number().nullish(),
      renewTime: text,
      acquireTime: text,
      leaseTransitions: z.number().nullish(),
    })
    .nullish(),
});
export type LeaseAnswer = z.infer<typeof leaseAnswer>;

export interface LeaseClaim {
  name: string;
  namespace: string;
  identity: string;
  durationSeconds: number;
  now: Date;
}

/** The Lease as it is written by who takes, keeps or gives it up: `identity` "" gives it up. */
export function claimedLease({ name, namespace, identity, durationSeconds, now }: LeaseClaim, before: LeaseAnswer | undefined): object {
  const spec = before?.spec;
  const isSame = spec?.holderIdentity === identity;
  const time = now.toISOString().replace("Z", "000Z");
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { ...before?.metadata, name, namespace },
    spec: {
      holderIdentity: identity,
      leaseDurationSeconds: identity === "" ? 1 : durationSeconds,
      acquireTime: isSame && spec.acquireTime !== "" ? spec.acquireTime : time,
      renewTime: time,
      leaseTransitions: (spec?.leaseTransitions ?? 0) + (isSame || before === undefined || identity === "" ? 0 : 1),
    },
  };
}
