import type { ComponentProps } from "react";
import { TextField } from "../../../ui/field.tsx";

/** What a field of the form shows and does. */
export interface FieldState {
  value: string;
  fault: string | undefined;
  change: (value: string) => void;
  /** It was left: from now on its fault is shown. */
  leave: () => void;
}

type Properties = Omit<ComponentProps<typeof TextField>, "value" | "fault" | "onChange" | "onBlur"> & { state: FieldState };

/** A line of text of the form. */
export function HeartbeatField({ state: { value, fault, change, leave }, ...field }: Properties) {
  return <TextField {...field} value={value} fault={fault} onChange={change} onBlur={leave} />;
}
