#include "reports/drawing/plot.h"

#include <cmath>
#include <cstdlib>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/well_formed.h"

namespace warpmark {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Scale, maps_both_ends_and_rises_or_falls_between_them) {
  for (const ScaleKind kind : {ScaleKind::linear, ScaleKind::log2, ScaleKind::log10}) {
    for (const double end : {10.0, 500.0}) {
      const Scale scale{kind, 3, 4000, 100, end};
      EXPECT_DOUBLE_EQ(scale(3), 100);
      EXPECT_DOUBLE_EQ(scale(4000), end);
      double before = scale(3);
      for (const double value : {4.0, 5.0, 7.5, 30.0, 31.0, 256.0, 1000.0, 3999.0, 4000.0}) {
        EXPECT_EQ(scale(value) > before, end > 100) << value;
        before = scale(value);
      }
    }
  }
}

TEST(Scale, a_logarithmic_one_gives_equal_ratios_equal_room) {
  const Scale scale{ScaleKind::log10, 1, 1e4, 0, 400};
  EXPECT_DOUBLE_EQ(scale(10), 100);
  EXPECT_DOUBLE_EQ(scale(1000), 300);
}

TEST(Ticks, are_round_and_inside) {
  EXPECT_THAT(ticks_of({ScaleKind::linear, 0, 4814}, 6),
              ElementsAre(DoubleEq(0), DoubleEq(1000), DoubleEq(2000), DoubleEq(3000), DoubleEq(4000)));
  EXPECT_THAT(ticks_of({ScaleKind::linear, 0.93, 1.41}, 5),
              ElementsAre(DoubleEq(1), DoubleEq(1.1), DoubleEq(1.2), DoubleEq(1.3), DoubleEq(1.4)));
  EXPECT_THAT(ticks_of({ScaleKind::log10, 0.004, 30}, 6),
              ElementsAre(DoubleEq(0.01), DoubleEq(0.1), DoubleEq(1), DoubleEq(10)));
  EXPECT_THAT(ticks_of({ScaleKind::log10, 4, 150}, 6), ElementsAre(5, 10, 20, 50, 100)) << "two decades";
  EXPECT_THAT(ticks_of({ScaleKind::log10, 0.9, 1.7}, 5),
              ElementsAre(DoubleEq(1), DoubleEq(1.2), DoubleEq(1.4), DoubleEq(1.6)));
  EXPECT_THAT(ticks_of({ScaleKind::log2, 1024, 16384}, 10), ElementsAre(1024, 2048, 4096, 8192, 16384));
  EXPECT_THAT(ticks_of({ScaleKind::log2, 1024, 1 << 30}, 5),
              ElementsAre(1024, 1 << 15, 1 << 20, 1 << 25, 1 << 30));
}

TEST(Spread, leaves_labels_where_they_have_room) {
  EXPECT_THAT(spread({10, 50, 30}, 12, 0, 100), ElementsAre(10, 50, 30));
  EXPECT_THAT(spread({}, 12, 0, 100), IsEmpty());
}

TEST(Spread, moves_them_apart_around_the_place_that_they_want) {
  EXPECT_THAT(spread({50, 50}, 10, 0, 100), ElementsAre(45, 55));
  EXPECT_THAT(spread({52, 48, 50}, 10, 0, 100), ElementsAre(60, 40, 50));
}

TEST(Spread, keeps_them_inside) {
  EXPECT_THAT(spread({1, 2, 3}, 10, 0, 100), ElementsAre(0, 10, 20));
  EXPECT_THAT(spread({99, 100}, 10, 0, 100), ElementsAre(90, 100));
}

TEST(Spread, keeps_the_order_and_the_gap_whatever_comes) {
  std::vector<double> wanted(12);
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = static_cast<double>((i * 37) % 50);
  const auto places = spread(wanted, 15, 20, 320);
  for (std::size_t a = 0; a < wanted.size(); ++a) {
    EXPECT_GE(places[a], 20 - 1e-9);
    EXPECT_LE(places[a], 320 + 1e-9);
    for (std::size_t b = 0; b < wanted.size(); ++b) {
      if (a == b) continue;
      EXPECT_GE(std::abs(places[a] - places[b]), 15 - 1e-9);
      EXPECT_TRUE(wanted[a] >= wanted[b] || places[a] < places[b]);
    }
  }
}

std::string tick(double value) {
  return std::to_string(std::lround(value));
}

Plot sample() {
  Plot plot;
  plot.description = "times <over> sizes";
  plot.x_label = "values";
  plot.y_label = "ms";
  plot.x_text = tick;
  plot.y_text = tick;
  plot.lines = {{"slow & \"steady\"",
                 {{1, 8, 0, 0, "8 at 1"}, {2, 16, 10, 40, "16 at 2"}, {4, 40, 39.9, 40.1, ""}},
                 0,
                 false},
                {"fast", {{1, 2, 0, 0, ""}, {2, 4, 0, 0, ""}, {4, 8, 0, 0, ""}}, 1, true},
                {"context", {{1, 1, 0, 0, ""}, {4, 50, 0, 0, ""}}, {}, false}};
  return plot;
}

std::vector<const Element*> of_class(const Document& document, const std::string& name) {
  std::vector<const Element*> found;
  for (const Element& element : document.elements) {
    const auto attribute = element.attributes.find("class");
    if (attribute != element.attributes.end() && attribute->second == name) found.push_back(&element);
  }
  return found;
}

// "1.0,2.0 3.0,4.0" -> 2.0, 4.0
std::vector<double> heights(const Element& polyline) {
  std::istringstream points(polyline.attributes.at("points"));
  std::vector<double> found;
  for (std::string point; points >> point;)
    found.push_back(std::strtod(point.substr(point.find(',') + 1).c_str(), nullptr));
  return found;
}

TEST(Svg, is_well_formed_and_says_what_it_shows) {
  const Document document = parse_document(to_svg(sample()));
  ASSERT_EQ(document.error, "");
  EXPECT_EQ(document.elements.at(0).attributes.at("aria-label"), "times <over> sizes");
  for (const Element& element : document.elements) {
    EXPECT_NE(element.name, "script");
    for (const auto& [name, value] : element.attributes) EXPECT_NE(name.substr(0, 2), "on");
  }
}

TEST(Svg, names_every_line_that_has_ink_and_no_other) {
  const Document document = parse_document(to_svg(sample()));
  const auto labels = of_class(document, "label");
  ASSERT_THAT(labels, SizeIs(2));
  EXPECT_EQ(labels[0]->text, "slow & \"steady\"");
  EXPECT_EQ(labels[1]->text, "fast");
  EXPECT_THAT(of_class(document, "context"), SizeIs(1));
  EXPECT_THAT(of_class(document, "line dashed"), SizeIs(1));
}

TEST(Svg, larger_values_stand_higher) {
  const Document document = parse_document(to_svg(sample()));
  const auto line = of_class(document, "line");
  ASSERT_THAT(line, SizeIs(1));
  const auto places = heights(*line[0]);
  ASSERT_THAT(places, SizeIs(3));
  EXPECT_GT(places[0], places[1]);
  EXPECT_GT(places[1], places[2]);
  EXPECT_GT(heights(*of_class(document, "line dashed").at(0)).at(0), places[0]);
}

TEST(Svg, draws_an_interval_where_it_shows_behind_the_marker) {
  const Document document = parse_document(to_svg(sample()));
  const auto whiskers = of_class(document, "whisker");
  ASSERT_THAT(whiskers, SizeIs(1));
  EXPECT_GT(std::stod(whiskers[0]->attributes.at("y1")), std::stod(whiskers[0]->attributes.at("y2")));
}

TEST(Svg, tells_a_points_figures_where_a_pointer_rests) {
  const Document document = parse_document(to_svg(sample()));
  const auto titles = document.named("title");
  ASSERT_THAT(titles, SizeIs(2));
  EXPECT_EQ(titles[1]->text, "16 at 2");
}

TEST(Svg, shows_a_level_and_a_boundary_inside_the_sizes) {
  Plot plot = sample();
  plot.level = Plot::Mark{100, "peak"};
  plot.boundary = Plot::Mark{3, "L2"};
  const std::string inside = to_svg(plot);
  EXPECT_THAT(inside, HasSubstr("class=\"level\""));
  EXPECT_THAT(inside, HasSubstr("class=\"boundary\""));
  plot.boundary = Plot::Mark{5, "L2"};
  EXPECT_THAT(to_svg(plot), testing::Not(HasSubstr("class=\"boundary\"")));
}

TEST(Svg, leaves_out_what_a_logarithmic_axis_cannot_show) {
  Plot plot = sample();
  plot.y = ScaleKind::log10;
  plot.lines[1].points[0].y = 0;
  plot.lines[1].points[1].y = std::nan("");
  const Document document = parse_document(to_svg(plot));
  ASSERT_EQ(document.error, "");
  EXPECT_THAT(heights(*of_class(document, "line dashed").at(0)), SizeIs(1));
}

TEST(Svg, of_nothing_is_empty_and_of_one_value_is_not) {
  Plot plot = sample();
  for (PlotLine& line : plot.lines) line.points.clear();
  EXPECT_EQ(to_svg(plot), "");
  for (const ScaleKind kind : {ScaleKind::linear, ScaleKind::log10}) {
    plot.y = kind;
    plot.lines[0].points = {{4, 7, 0, 0, ""}};
    const std::string drawn = to_svg(plot);
    EXPECT_EQ(parse_document(drawn).error, "");
    EXPECT_EQ(drawn.find("nan"), std::string::npos);
    EXPECT_EQ(drawn.find("inf"), std::string::npos);
  }
}

}  // namespace
}  // namespace warpmark
