/** The pages of swarms: who opens one mostly opens others, so their code comes in one piece. */
export { ServicePage } from "./service/service-page.tsx";
export { NodesPage } from "./nodes-page.tsx";
export { ServicesPage } from "./services-page.tsx";
