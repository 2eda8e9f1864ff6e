import type { TagRules } from "../seams.ts";
import { createPatternReader } from "./patterns.ts";
import { chooseTags, planTags } from "./rules.ts";

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
