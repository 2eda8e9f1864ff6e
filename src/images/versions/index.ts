import type { UpdateSettings } from "../../observations.ts";
import type { ImageReference } from "../image.ts";
import { createPatternReader } from "./patterns.ts";
import { chooseTags, planTags, type TagChoice, type TagPlan } from "./rules.ts";

export type { TagChoice, TagPlan } from "./rules.ts";

export interface TagRules {
  plan(reference: ImageReference, settings: UpdateSettings): TagPlan;
  /**
   * The newest tags that the settings allow, the best first; none when none is newer. Only asked in mode semver. However many tags there are,
   * nothing else is held up. Throws the signal's reason.
   */
  choose(
    current: string,
    tags: readonly string[],
    settings: UpdateSettings,
    options: { most: number; signal: AbortSignal },
  ): Promise<TagChoice[]>;
}

/** The rules by which newer tags are found. They only compute, and let others have their turn meanwhile. */
export function createTagRules(): TagRules {
  const readPatterns = createPatternReader();
  return {
    plan: (image, settings) => planTags(image, settings, readPatterns),
    async choose(current, tags, settings, { most, signal }) {
      const choosing = chooseTags(current, tags, settings, { most, readPatterns });
      for (let step = choosing.next(); ; step = choosing.next()) {
        if (step.done === true) return step.value;
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
      }
    },
  };
}
