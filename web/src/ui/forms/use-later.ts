import { useEffect, useState } from "react";

/** `value`, once it has rested for a moment: for what the server is asked while somebody types. */
export function useLater<Value>(value: Value, restMs = 400): Value {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), restMs);
    return () => clearTimeout(timer);
  }, [value, restMs]);
  return later;
}
