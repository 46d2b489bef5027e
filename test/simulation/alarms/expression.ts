/** A number, a string of a line, or `undefined` without data or field. */
export type Value = number | string | undefined;

type Lookup = (name: string) => Value;

type Operator = (one: Value, other: Value) => Value;

const numbers =
  (reckon: (one: number, other: number) => number | boolean): Operator =>
  (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? Number(reckon(one, other)) : undefined;

/** An asterisk in a pattern matches anything. */
function isLike(text: Value, pattern: Value): boolean {
  const parts = String(pattern)
    .split('*')
    .map((part) => part.replaceAll(/\W/g, '\\$&'));
  return text !== undefined && new RegExp(`^${parts.join('.*')}$`, 's').test(String(text));
}

/** Loosest binding first. Without data there is no result; a missing field is neither equal nor unequal to anything. */
const levels: readonly Readonly<Record<string, Operator>>[] = [
  {
    OR: numbers((one, other) => one !== 0 || other !== 0),
    '||': (one, other) => Number(one === 1 || other === 1),
  },
  {
    AND: numbers((one, other) => one !== 0 && other !== 0),
    '&&': (one, other) => Number(one === 1 && other === 1),
  },
  {
    '>=': numbers((one, other) => one >= other),
    '>': numbers((one, other) => one > other),
    '=': (text, pattern) => Number(isLike(text, pattern)),
    '!=': (text, pattern) => Number(text !== undefined && !isLike(text, pattern)),
  },
  { '+': numbers((one, other) => one + other), '-': numbers((one, other) => one - other) },
  { '*': numbers((one, other) => one * other) },
];

const TOKEN = />=|!=|&&|\|\||"[^"]*"|\$\.[\w.]+|\w+|[()+*>=,-]/g;

/**
 * Evaluates a CloudWatch metric expression or filter pattern, for the part of both languages that the service's alarms
 * use. @throws for anything else
 */
export function evaluate(expression: string, lookup: Lookup): Value {
  const tokens = expression.match(TOKEN) ?? [];
  if (tokens.join('') !== expression.replaceAll(/\s/g, '')) throw new Error(`Not understood: ${expression}`);
  let place = 0;
  const isNext = (token: string) => tokens[place] === token;
  const take = (token?: string): string => {
    const taken = tokens[place];
    if (taken === undefined || (token !== undefined && taken !== token))
      throw new Error(`Not understood: ${expression}`);
    place += 1;
    return taken;
  };

  function atLevel(level: number): Value {
    const operators = levels[level];
    if (operators === undefined) return atom();
    let value = atLevel(level + 1);
    for (let operator = operators[tokens[place] ?? '']; operator; operator = operators[tokens[place] ?? '']) {
      take();
      value = operator(value, atLevel(level + 1));
    }
    return value;
  }

  function atom(): Value {
    if (isNext('(')) return within(() => atLevel(0));
    const token = take();
    if (token === 'FILL') return within(filled);
    if (token.startsWith('"')) return token.slice(1, -1);
    if (/^\d/.test(token)) return Number(token);
    const value = lookup(token);
    if (!isNext('NOT')) return value;
    take('NOT');
    take('EXISTS');
    return Number(value === undefined);
  }

  function filled(): Value {
    const value = atLevel(0);
    take(',');
    const otherwise = atLevel(0);
    return value ?? otherwise;
  }

  function within(read: () => Value): Value {
    take('(');
    const value = read();
    take(')');
    return value;
  }

  const result = atLevel(0);
  if (place < tokens.length) throw new Error(`Not understood: ${expression}`);
  return result;
}
