import { useQuery } from "@tanstack/react-query";
import type { EditionView } from "../../../src/editions/answers.ts";
import { editionQuery } from "../api/queries.ts";
import { editionName } from "../format/edition-name.ts";

interface Grant {
  /** What is not known yet counts as granted: the server has the last word. */
  isGranted: boolean;
  /** It is not known yet, and may be soon. */
  isAsked: boolean;
  /** The edition that grants it. */
  edition: string;
}

/** Whether the edition in force grants a capability, and which one does. */
export function useCapability(): (name: string | undefined) => Grant {
  const { data, isPending } = useQuery(editionQuery);
  return (name) => ({ ...capabilityOf(data, name), isAsked: isPending });
}

export function capabilityOf(view: EditionView | undefined, name: string | undefined): Pick<Grant, "isGranted" | "edition"> {
  const capability = view?.capabilities.find((each) => each.name === name);
  return { isGranted: capability?.granted ?? true, edition: editionName(capability?.required_edition ?? "pro") };
}
