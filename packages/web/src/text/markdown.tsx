import { type Key, memo, type ReactNode } from 'react';
import { type Cell, type Item, markdownTree, type Node } from './markdown-tree.ts';
import './markdown.css';

export interface MarkdownProps {
  readonly source: string;
  /** Draws a block of code; without it the block is plain text. The page that has a highlighter passes it. */
  readonly code?: ((text: string, language: string | undefined) => ReactNode) | undefined;
  /** Class names beside `prose`. */
  readonly className?: string | undefined;
}

/** Text of agents and people: Markdown without HTML, images or remote loads. Nothing of it becomes markup. */
export const Markdown = memo(function Markdown({ source, code, className }: MarkdownProps) {
  const { nodes, cut } = markdownTree(source);
  return (
    <div className={className === undefined ? 'prose' : `prose ${className}`}>
      {each(nodes, code)}
      {cut ? <p className="hint">The text is longer than the board shows. The API has all of it.</p> : null}
    </div>
  );
});

type Code = MarkdownProps['code'];

function each(nodes: readonly Node[], code: Code): ReactNode[] {
  return nodes.map((node, at) => draw(node, at, code));
}

function draw(node: Node, key: Key, code: Code): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'break':
      return <br key={key} />;
    case 'rule':
      return <hr key={key} />;
    case 'code':
      return <code key={key}>{node.text}</code>;
    case 'pre':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll sideways, and only what has focus scrolls by keys.
        <pre key={key} tabIndex={0}>
          <code>{code === undefined ? node.text : code(node.text, node.language)}</code>
        </pre>
      );
    case 'paragraph':
      return <p key={key}>{each(node.children, code)}</p>;
    case 'strong':
      return <strong key={key}>{each(node.children, code)}</strong>;
    case 'em':
      return <em key={key}>{each(node.children, code)}</em>;
    case 'del':
      return <del key={key}>{each(node.children, code)}</del>;
    case 'quote':
      return <blockquote key={key}>{each(node.children, code)}</blockquote>;
    case 'heading':
      return (
        // A heading of the text is below every heading of the page; its role names its level, so that none is skipped.
        // biome-ignore lint/a11y/useSemanticElements: the page decides which h element comes next, the text does not.
        <p key={key} className={node.level < 3 ? 'prose-h big' : 'prose-h'} role="heading" aria-level={4}>
          {each(node.children, code)}
        </p>
      );
    case 'link':
      return <Link key={key} node={node} code={code} />;
    case 'list':
      return node.start === undefined ? (
        <ul key={key}>{items(node.items, code)}</ul>
      ) : (
        <ol key={key} start={node.start}>
          {items(node.items, code)}
        </ol>
      );
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables scroll sideways, and only what has focus scrolls by keys.
        <div key={key} className="prose-table" tabIndex={0}>
          <table>
            <thead>
              <tr>{cells(node.head, code, true)}</tr>
            </thead>
            <tbody>
              {node.rows.map((row, at) => (
                <tr key={at}>{cells(row, code, false)}</tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

function items(list: readonly Item[], code: Code): ReactNode[] {
  return list.map((item, at) => (
    <li key={at} className={item.checked === undefined ? undefined : 'prose-check'}>
      {item.checked === undefined ? null : (
        <span className={item.checked ? 'mark on' : 'mark'} role="img" aria-label={item.checked ? 'Done:' : 'Open:'} />
      )}
      {each(item.children, code)}
    </li>
  ));
}

function cells(list: readonly Cell[], code: Code, head: boolean): ReactNode[] {
  return list.map((cell, at) => {
    const Tag = head ? 'th' : 'td';
    return (
      <Tag key={at} className={cell.align === undefined ? undefined : `to-${cell.align}`}>
        {each(cell.children, code)}
      </Tag>
    );
  });
}

interface LinkProps {
  readonly node: Extract<Node, { kind: 'link' }>;
  readonly code: Code;
}

/** A link with the place that it leads to, unless its label already says it. */
function Link({ node, code }: LinkProps) {
  const label = plain(node.children);
  const said = label === node.target || label === node.href || label.replace(/^https?:\/\//, '') === node.target;
  return (
    <a className="link" href={node.href} title={node.href} target="_blank" rel="noopener noreferrer">
      {each(node.children, code)}
      {said ? null : <span className="link-target">{short(node.target)}</span>}
    </a>
  );
}

function plain(nodes: readonly Node[]): string {
  return nodes.map((node) => ('text' in node ? node.text : 'children' in node ? plain(node.children) : '')).join('');
}

function short(target: string): string {
  return target.length > 48 ? `${target.slice(0, 47)}…` : target;
}
