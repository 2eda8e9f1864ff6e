import type { Top } from "../../../../src/monitoring/resources/answers.ts";
import { oneOf } from "../../app/search-params.ts";

/** What the address of the page says: what ranks the top consumers; without it what they use now. */
export interface ResourcesSearch {
  by?: Extract<Top["by"], "growth"> | undefined;
}

export function resourcesSearch(search: Record<string, unknown>): ResourcesSearch {
  return { by: oneOf(search["by"], ["growth"]) };
}
