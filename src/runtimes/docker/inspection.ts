import { isServiceError } from "../../platform/errors.ts";
import { type Limiter, createLimiter } from "../../platform/limiter.ts";
import type { EngineClient } from "./client.ts";
import { type InspectedContainer, readContainer } from "./container.ts";
import type { Images } from "./images.ts";
import { createPodmanReader } from "./podman.ts";
import { containerAnswer } from "./schemas.ts";

const INSPECTIONS_AT_ONCE = 8;

/** Looks at single containers, a few at a time. */
export interface Inspection {
  /** Undefined once the container is gone. */
  inspect(id: string, signal: AbortSignal, route?: "container" | "listedContainer"): Promise<InspectedContainer | undefined>;
}

export function createInspection(client: EngineClient, images: Images): Inspection {
  const limit: Limiter = createLimiter(INSPECTIONS_AT_ONCE);
  const readPodman = createPodmanReader(client);
  return {
    inspect: (id, signal, route = "container") =>
      limit(async () => {
        try {
          const answer = await client.json(containerAnswer, { route, id }, signal);
          return readContainer(answer, await images.traitsOf(answer, signal), await readPodman(answer.Id, signal));
        } catch (error) {
          if (isServiceError(error, "not_found")) return undefined;
          throw error;
        }
      }),
  };
}
