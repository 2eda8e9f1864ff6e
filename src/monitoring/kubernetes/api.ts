export type { CertificateRecord, ClaimRecord, ClusterEventRecord, RouteRecord, ServiceRecord } from "./objects.ts";
export type { KubernetesProblemRecord } from "./schemas.ts";
