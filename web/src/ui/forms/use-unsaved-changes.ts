import { type ShouldBlockFn, useBlocker } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useRef } from "react";
import { holdPage } from "../../api/session.ts";
import { keepsForm } from "./keeps-form.ts";

/** Somebody is about to leave a form with changes. */
interface Leaving {
  discard: () => void;
  keep: () => void;
}

/** A form that was saved or closed replaces its entry in the history, which nothing else does that leaves a form. */
const isLost: ShouldBlockFn = ({ action, current, next }) => action !== "REPLACE" && !keepsForm(current, next);

/** While a form has changes, nothing leaves it without a question: no link, no Back, no reload, no login form. What is returned waits for the answer. */
export function useUnsavedChanges(hasChanges: boolean): Leaving | undefined {
  const { proceed, reset } = useBlocker({ shouldBlockFn: isLost, disabled: !hasChanges, withResolver: true });
  const latest = useRef(proceed);
  useLayoutEffect(() => {
    latest.current = proceed;
  });

  useEffect(() => (hasChanges ? holdPage() : undefined), [hasChanges]);
  // What was saved while it asked is not lost any more.
  useEffect(() => {
    if (!hasChanges) proceed?.();
  }, [hasChanges, proceed]);
  useEffect(() => () => latest.current?.(), []);

  return proceed === undefined ? undefined : { discard: proceed, keep: reset };
}
