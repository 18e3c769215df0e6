package dev.holdfast.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import dev.holdfast.testing.Tools;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * A real browser. Whatever a page complains about, and every request that leaves the control plane,
 * is remembered.
 */
final class Chromium implements AutoCloseable {
  private final Playwright playwright;
  private final Browser browser;
  private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());

  Chromium() {
    Path program = Tools.require("chromium", "chromium");
    this.playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    this.browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(program)
                    .setArgs(
                        List.of(
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync")));
  }

  Page open(String address) {
    return open(address, "en-US", ColorScheme.DARK);
  }

  /** A new window with nothing remembered. */
  Page open(String address, String language, ColorScheme scheme) {
    BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions()
                .setViewportSize(1480, 980)
                .setLocale(language)
                .setColorScheme(scheme));
    context.setDefaultTimeout(15_000);
    Page page = context.newPage();
    page.onPageError(complaints::add);
    page.onConsoleMessage(
        message -> {
          boolean refused = message.text().contains("Failed to load resource");
          if (message.type().equals("error") && !refused) {
            complaints.add(message.text());
          }
        });
    page.onRequest(
        request -> {
          if (!request.url().startsWith("http://127.0.0.1:")) {
            complaints.add("asks elsewhere: " + request.url());
          }
        });
    page.navigate(address);
    return page;
  }

  /** What the pages complained about since this was asked last. */
  List<String> complaints() {
    List<String> all = List.copyOf(complaints);
    complaints.clear();
    return all;
  }

  void closeWindows() {
    browser.contexts().forEach(BrowserContext::close);
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
