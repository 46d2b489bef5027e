import { writeFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { chapters, filesBeside } from './guides.ts';

/** Names a heading as other renderers of Markdown do, so that one link is right everywhere. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

const SELECTED = `:aria-selected="selectedIndex === index ? 'true' : 'false'"`;

/** Roles in the template of VitePress's search box: those that it has, and the right ones. */
const rolesOfSearch: readonly (readonly [RegExp, string])[] = [
  [
    /role="button"[^>]*?class="VPLocalSearchBox"/,
    'role="dialog" aria-modal="true" aria-labelledby="localsearch-label" class="VPLocalSearchBox"',
  ],
  [
    /aria-autocomplete="both"/,
    'role="combobox" :aria-expanded="results?.length ? \'true\' : \'false\'" aria-autocomplete="list"',
  ],
  [/:id="'localsearch-item-' \+ index"\s+:aria-selected="[^"]*"\s+role="option"/, 'role="presentation"'],
  [/:aria-label="\[\.\.\.p\.titles, p\.title\][^"]*"/, `:id="'localsearch-item-' + index" role="option" ${SELECTED}`],
  [/<kbd :aria-label=/g, '<kbd role="img" :aria-label='],
];

/**
 * Corrects the search box of VitePress, which is marked as a button, with each link inside an option: a screen reader
 * then finds nothing in it. Here it is a dialog, with a field and a list of links to choose from.
 */
const searchForScreenReaders = {
  name: 'search-for-screen-readers',
  enforce: 'pre',
  transform(code: string, id: string) {
    if (!id.endsWith('/VPLocalSearchBox.vue')) return undefined;
    return rolesOfSearch.reduce((text, [wrong, right]) => {
      if (text.search(wrong) < 0) throw new Error(`The search box of VitePress has no ${wrong} any more.`);
      return text.replace(wrong, () => right);
    }, code);
  },
} as const;

const reference = { text: 'Reference', link: '/reference.html', target: '_self' };

/**
 * The configuration by which VitePress builds the site.
 *
 * @param base the path below which it is served
 * @param modulesFile gets the files whose code the site has, for their licences
 */
export function siteConfig(base: string, modulesFile: string) {
  return defineConfig({
    base,
    lang: 'en',
    title: 'Pay-in and off-ramp API',
    description: 'Guides for developers: collect pesos from users, and pay users out for crypto.',
    head: [['link', { rel: 'icon', href: 'data:,' }]],
    // VitePress makes none of these files.
    ignoreDeadLinks: [new RegExp(filesBeside.join('|'))],
    // Values that differ by base and page stay out of inline scripts, so that a few hashes are the whole policy of
    // scripts.
    metaChunk: true,
    // Otherwise each link on the screen would be a call.
    router: { prefetchLinks: false },
    markdown: {
      anchor: { slugify: slugOf },
      // Other themes have comments and keywords below a contrast of 4.5.
      theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    },
    themeConfig: {
      nav: [{ text: 'Guides', link: '/' }, reference],
      sidebar: [
        ...chapters.map(({ title, guides }) => ({
          text: title,
          items: guides.map((guide) => ({ text: guide.title, link: `/${guide.name}` })),
        })),
        { text: 'Every field', items: [reference] },
      ],
      outline: { level: [2, 3] },
      search: { provider: 'local' },
    },
    vite: {
      logLevel: 'warn',
      plugins: [
        searchForScreenReaders,
        {
          name: 'list-modules',
          apply: (_, { isSsrBuild }) => isSsrBuild !== true,
          generateBundle() {
            const included = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.isIncluded === true);
            writeFileSync(modulesFile, JSON.stringify(included));
          },
        },
      ],
    },
  });
}
