import { writeFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { chapters, filesBeside } from './guides.ts';

/** As other readers of Markdown name headings, so that one link is right everywhere. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

const SELECTED = `:aria-selected="selectedIndex === index ? 'true' : 'false'"`;

/** In the template of VitePress's search box: what its parts say that they are, and what they are here. */
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
 * VitePress says that its search box is a button and that each link in it is inside an option: a screen reader then finds
 * nothing in it. Here it is a dialog, with a field and a list of links to choose from.
 */
const searchForScreenReaders = {
  name: 'search-for-screen-readers',
  enforce: 'pre',
  transform(code: string, id: string) {
    if (!id.endsWith('/VPLocalSearchBox.vue')) return undefined;
    return rolesOfSearch.reduce((text, [said, meant]) => {
      if (text.search(said) < 0) throw new Error(`The search box of VitePress has no ${said} any more.`);
      return text.replace(said, () => meant);
    }, code);
  },
} as const;

const reference = { text: 'Reference', link: '/reference.html', target: '_self' };

/**
 * How the site is built.
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
    // None is a page of its own making.
    ignoreDeadLinks: [new RegExp(filesBeside.join('|'))],
    // What would differ by base and page is no inline script, so that a few hashes are the whole policy of scripts.
    metaChunk: true,
    // Otherwise each link on the screen is a call.
    router: { prefetchLinks: false },
    markdown: {
      anchor: { slugify: slugOf },
      // Others have comments and keywords below a contrast of 4.5.
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
