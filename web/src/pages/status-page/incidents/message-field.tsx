import { INCIDENT_BOUNDS } from "../../../../../src/contract/status-page.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { TEMPLATES, type Template } from "../templates.ts";
import { TextArea } from "../text-area.tsx";
import type { IncidentStatus } from "../words.ts";

interface Properties {
  /** Its templates are offered. */
  status: IncidentStatus;
  value: string;
  fault: string | undefined;
  onChange: (message: string) => void;
  onTemplate: (template: Template) => void;
}

/** What visitors read, with templates to choose from. */
export function MessageField({ status, value, fault, onChange, onTemplate }: Properties) {
  return (
    <div>
      <div role="group" aria-label="Templates" className="mb-2 flex flex-wrap items-center gap-1.5">
        <span className="text-xs font-medium text-ink-2">Templates</span>
        {TEMPLATES[status].map((template) => (
          <Button key={template.name} onClick={() => onTemplate(template)}>
            {template.name}
          </Button>
        ))}
      </div>
      <Field label="Message" isRequired hint="Plain text, as visitors and subscribers read it." fault={fault}>
        {(control) => (
          <TextArea
            {...control}
            maxLength={INCIDENT_BOUNDS.messageLength}
            placeholder="What is wrong, who is affected, what you are doing, and when the next update comes"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
    </div>
  );
}
