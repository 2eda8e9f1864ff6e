import { useHostName } from "../../app/hosts.ts";
import { useEntityName } from "../notifications/entity-options.ts";

/** How what a silence or a window names is called. */
export function useNames(): { entity: (entity: string) => string; host: (id: string) => string } {
  return { entity: useEntityName(), host: useHostName() };
}
