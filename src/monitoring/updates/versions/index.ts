import type { TagRules } from "../seams.ts";
import { chooseTags, planTags } from "./rules.ts";

/** The rules by which newer tags are found. They only compute, and let others have their turn meanwhile. */
export function createTagRules(): TagRules {
  return {
    plan: planTags,
    async choose(current, tags, settings, { most, signal }) {
      const choosing = chooseTags(current, tags, settings, most);
      for (let step = choosing.next(); ; step = choosing.next()) {
        if (step.done === true) return step.value;
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
      }
    },
  };
}
