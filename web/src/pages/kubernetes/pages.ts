/** The pages of Kubernetes: who opens one mostly opens others, so their code comes in one piece. */
export { WorkloadPage } from "./workload/workload-page.tsx";
export { EventsPage } from "./events-page.tsx";
export { NetworkPage } from "./network-page.tsx";
export { NodesPage } from "./nodes-page.tsx";
export { PodsPage } from "./pods-page.tsx";
export { StoragePage } from "./storage-page.tsx";
export { WorkloadsPage } from "./workloads-page.tsx";
