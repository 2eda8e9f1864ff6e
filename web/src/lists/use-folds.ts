import { useMemo } from "react";
import { usePreference } from "../app/preference.ts";
import { MAX_FOLDS_LENGTH, usePreferences, type FoldableList } from "../app/preferences.ts";
import { type Folding, isFolded, readFolding, toggleFold, writeFolding } from "./folds.ts";

/** Which groups of a list the reader folded, remembered by the browser. */
export interface Folds {
  isFolded: (key: string) => boolean;
  toggle: (key: string) => void;
  setAll: (folded: boolean) => void;
}

/** `usual`: as long as nothing was folded or opened. */
export function useFolds(list: FoldableList, usual?: Folding): Folds {
  const preference = usePreferences().folds[list];
  const text = usePreference(preference);
  return useMemo(() => {
    const folding = readFolding(text, usual);
    return {
      isFolded: (key) => isFolded(folding, key),
      toggle: (key) => preference.set(writeFolding(toggleFold(folding, key), MAX_FOLDS_LENGTH)),
      setAll: (folded) => preference.set(writeFolding({ folded, except: [] }, MAX_FOLDS_LENGTH)),
    };
  }, [text, usual, preference]);
}
