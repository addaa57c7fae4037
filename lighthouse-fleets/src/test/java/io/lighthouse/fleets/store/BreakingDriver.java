package io.lighthouse.fleets.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;

/** The driver of another URL, with connections of which one may break off when it is closed. */
final class BreakingDriver implements Driver {
  /** What the URLs begin with, before the other URL. */
  static final String PREFIX = "jdbc:breaking:";

  private final AtomicBoolean breaksOff = new AtomicBoolean();

  /** The next connection that is closed breaks off before that. */
  void breakOff() {
    breaksOff.set(true);
  }

  @Override
  public boolean acceptsURL(String url) {
    return url.startsWith(PREFIX);
  }

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    Connection real = DriverManager.getConnection(url.substring(PREFIX.length()), info);
    return (Connection)
        Proxy.newProxyInstance(
            BreakingDriver.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close") && breaksOff.getAndSet(false)) {
                throw new OutOfMemoryError("planted");
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            });
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return 1;
  }

  @Override
  public int getMinorVersion() {
    return 0;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }
}
